package io.parley.server.limits;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;

/**
 * Token buckets by key. Clients choose the keys, so the number of buckets is limited to
 * 100,000. A bucket that was evicted is full when it is used again. Safe for use by many
 * threads.
 *
 * @param <K> the type of the keys
 */
public final class KeyedBuckets<K> {

	private static final int MAX_BUCKETS = 100_000;

	private final boolean off;

	private final LoadingCache<K, Bucket> buckets;

	/**
	 * Creates buckets that refill continuously.
	 * @param capacity tokens of a full bucket; 0 disables the limit
	 * @param period the time in which an empty bucket becomes full
	 */
	public KeyedBuckets(long capacity, Duration period) {
		this.off = capacity == 0;
		this.buckets = Caffeine.newBuilder()
			// Maintained by the callers: to wake another thread for each frame costs
			// more.
			.executor(Runnable::run)
			.maximumSize(MAX_BUCKETS)
			.expireAfterAccess(period)
			.build((key) -> Bucket.builder()
				.addLimit((limit) -> limit.capacity(capacity).refillGreedy(capacity, period))
				.build());
	}

	/**
	 * Takes one token.
	 * @return 0 if a token was available, otherwise the nanoseconds until one is
	 */
	public long take(K key) {
		return take(key, 1);
	}

	/**
	 * Takes this number of tokens, or none.
	 * @return 0 if they were available, otherwise the nanoseconds until they are
	 */
	public long take(K key, int count) {
		if (this.off) {
			return 0;
		}
		ConsumptionProbe probe = this.buckets.get(key).tryConsumeAndReturnRemaining(count);
		return probe.isConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
	}

	/** Returns the same value as {@link #take(Object)}, but takes no token. */
	public long peek(K key) {
		Bucket bucket = this.off ? null : this.buckets.getIfPresent(key);
		if (bucket == null) {
			return 0;
		}
		EstimationProbe probe = bucket.estimateAbilityToConsume(1);
		return probe.canBeConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
	}

}
