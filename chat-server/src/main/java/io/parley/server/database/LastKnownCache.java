package io.parley.server.database;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.error.StoreFailures;

/**
 * Caches query results for a limited time. While the database is unavailable, an expired
 * entry stays valid unless it was {@linkplain #forget forgotten}. Concurrent calls for
 * the same key share one query. Safe for use by many threads.
 *
 * @param <K> the key
 * @param <V> the result
 */
public final class LastKnownCache<K, V> {

	private final Database database;

	private final Function<K, V> question;

	private final Function<V, Duration> fresh;

	private final Cache<K, Answer<V>> answers;

	/**
	 * Queries in flight. Entries of {@link #answers} are written and removed under this
	 * map's lock of their key. That lock is never held during a query, so {@link #forget}
	 * does not wait for the database.
	 */
	private final ConcurrentMap<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

	/**
	 * @param maxSize the maximum number of entries
	 * @param timeToLive how long an entry is valid before it is queried again
	 * @param query queries the database
	 */
	public LastKnownCache(Database database, int most, Function<V, Duration> fresh, Function<K, V> question) {
		this.database = database;
		this.question = question;
		this.fresh = fresh;
		this.answers = Caffeine.newBuilder().maximumSize(most).build();
	}

	private record Answer<V>(V value, long until) {

		boolean isFresh() {
			return System.nanoTime() - this.until < 0;
		}

	}

	/**
	 * Returns the cached or queried result, or the last known one while the database is
	 * unavailable.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and no result is known
	 */
	public V get(K key) {
		Answer<V> known = this.answers.getIfPresent(key);
		if (known != null && known.isFresh()) {
			return known.value();
		}
		CompletableFuture<V> mine = new CompletableFuture<>();
		CompletableFuture<V> others = this.underWay.putIfAbsent(key, mine);
		return (others != null) ? await(others) : ask(key, mine);
	}

	private static <V> V await(CompletableFuture<V> answer) {
		try {
			return answer.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private V ask(K key, CompletableFuture<V> mine) {
		try {
			V value = this.database.ask(() -> this.question.apply(key));
			keep(key, mine, value);
			mine.complete(value);
			return value;
		}
		catch (RuntimeException ex) {
			this.underWay.remove(key, mine);
			Answer<V> last = this.answers.getIfPresent(key);
			if (last == null || !StoreFailures.isUnavailable(ex)) {
				mine.completeExceptionally(ex);
				throw ex;
			}
			mine.complete(last.value());
			return last.value();
		}
	}

	/**
	 * Stores nothing if the key was forgotten in the meantime, because the result may be
	 * older than that.
	 */
	private void keep(K key, CompletableFuture<V> mine, V value) {
		this.underWay.computeIfPresent(key, (same, present) -> {
			if (present != mine) {
				return present;
			}
			this.answers.put(key, new Answer<>(value, System.nanoTime() + this.fresh.apply(value).toNanos()));
			return null;
		});
	}

	/**
	 * Removes the entry, so that the next call queries the database. There is no last
	 * known result until that query succeeds. Does not block.
	 */
	public void forget(K key) {
		this.underWay.compute(key, (same, present) -> {
			this.answers.invalidate(key);
			return null;
		});
	}

}
