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
 * Answers of the database, each kept for a while. When the database is away, the last
 * answer counts on, unless it was {@linkplain #forget forgotten}. Callers that ask for
 * the same at once share one question. Safe for use by many threads.
 *
 * @param <K> what is asked about
 * @param <V> the answer
 */
public final class LastKnownCache<K, V> {

	private final Database database;

	private final Function<K, V> question;

	private final Function<V, Duration> fresh;

	private final Cache<K, Answer<V>> answers;

	/**
	 * Questions under way. Answers are kept and forgotten under its lock of their key,
	 * which is never held for long: so {@link #forget} does not wait for the database.
	 */
	private final ConcurrentMap<K, CompletableFuture<V>> underWay = new ConcurrentHashMap<>();

	/**
	 * @param most how many answers are kept
	 * @param fresh how long an answer counts before the database is asked again
	 * @param question asks the database
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
	 * The answer of the database, or the last one when it is away.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} when it is
	 * away and there is none
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

	/** Not when it was forgotten meanwhile: the answer may be older than that. */
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
	 * Asks the database the next time. Until it answers, there is no answer. Does not
	 * wait.
	 */
	public void forget(K key) {
		this.underWay.compute(key, (same, present) -> {
			this.answers.invalidate(key);
			return null;
		});
	}

}
