package io.parley.server.database;

import java.time.Duration;
import java.util.Optional;
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

	private final Function<K, V> query;

	private final Function<V, Duration> timeToLive;

	private final Cache<K, Answer<V>> answers;

	/**
	 * Queries in flight. Entries of {@link #answers} are written and removed under this
	 * map's lock of their key. That lock is never held during a query, so {@link #forget}
	 * does not wait for the database.
	 */
	private final ConcurrentMap<K, CompletableFuture<V>> inFlight = new ConcurrentHashMap<>();

	/**
	 * @param maxSize the maximum number of entries
	 * @param timeToLive how long an entry is valid before it is queried again
	 * @param query queries the database
	 */
	public LastKnownCache(Database database, int maxSize, Function<V, Duration> timeToLive, Function<K, V> query) {
		this.database = database;
		this.query = query;
		this.timeToLive = timeToLive;
		this.answers = Caffeine.newBuilder().maximumSize(maxSize).build();
	}

	private record Answer<V>(V value, long expiresAt) {

		boolean isFresh() {
			return System.nanoTime() - this.expiresAt < 0;
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
		CompletableFuture<V> own = new CompletableFuture<>();
		CompletableFuture<V> existing = this.inFlight.putIfAbsent(key, own);
		return (existing != null) ? await(existing) : query(key, own);
	}

	private static <V> V await(CompletableFuture<V> answer) {
		try {
			return answer.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	private V query(K key, CompletableFuture<V> own) {
		try {
			V value = this.database.query(() -> this.query.apply(key));
			store(key, own, value);
			own.complete(value);
			return value;
		}
		catch (RuntimeException ex) {
			this.inFlight.remove(key, own);
			Answer<V> last = this.answers.getIfPresent(key);
			if (last == null || !StoreFailures.isUnavailable(ex)) {
				own.completeExceptionally(ex);
				throw ex;
			}
			own.complete(last.value());
			return last.value();
		}
	}

	/**
	 * Stores nothing if the key was forgotten in the meantime, because the result may be
	 * older than that.
	 */
	private void store(K key, CompletableFuture<V> own, V value) {
		this.inFlight.computeIfPresent(key, (same, present) -> {
			if (present != own) {
				return present;
			}
			this.answers.put(key, new Answer<>(value, System.nanoTime() + this.timeToLive.apply(value).toNanos()));
			return null;
		});
	}

	/** Returns the last result, which may be outdated. Queries nothing. */
	public Optional<V> lastKnown(K key) {
		return Optional.ofNullable(this.answers.getIfPresent(key)).map(Answer::value);
	}

	/** Returns whether there is a result that is valid without a query. */
	public boolean isFresh(K key) {
		Answer<V> known = this.answers.getIfPresent(key);
		return known != null && known.isFresh();
	}

	/** Replaces the entry by a result that is newer than any query in flight. */
	public void put(K key, V value) {
		this.inFlight.compute(key, (same, present) -> {
			this.answers.put(key, new Answer<>(value, System.nanoTime() + this.timeToLive.apply(value).toNanos()));
			return null;
		});
	}

	/**
	 * Removes the entry, so that the next call queries the database. There is no last
	 * known result until that query succeeds. Does not block.
	 */
	public void forget(K key) {
		this.inFlight.compute(key, (same, present) -> {
			this.answers.invalidate(key);
			return null;
		});
	}

}
