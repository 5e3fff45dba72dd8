package io.parley.server.limits;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.EstimationProbe;

/**
 * One bucket of tokens for each key. Strangers choose the keys, so the number of buckets
 * is bounded; a bucket that is forgotten is full again. Safe for use by many threads.
 *
 * @param <K> the type of the keys
 */
public final class KeyedBuckets<K> {

	private static final int MAX_BUCKETS = 100_000;

	private final boolean off;

	private final LoadingCache<K, Bucket> buckets;

	/**
	 * @param capacity tokens of a full bucket; 0 for buckets that are never empty
	 * @param period how long an empty bucket takes to be full
	 */
	public KeyedBuckets(long capacity, Duration period) {
		this.off = capacity == 0;
		this.buckets = Caffeine.newBuilder()
			.maximumSize(MAX_BUCKETS)
			.expireAfterAccess(period)
			.build((key) -> Bucket.builder()
				.addLimit((limit) -> limit.capacity(capacity).refillGreedy(capacity, period))
				.build());
	}

	/**
	 * Takes a token.
	 * @return 0 when there was one, otherwise the nanoseconds until there is one
	 */
	public long take(K key) {
		return take(key, 1);
	}

	/**
	 * Takes all of these tokens or none.
	 * @return 0 when there were so many, otherwise the nanoseconds until there are
	 */
	public long take(K key, int count) {
		if (this.off) {
			return 0;
		}
		ConsumptionProbe probe = this.buckets.get(key).tryConsumeAndReturnRemaining(count);
		return probe.isConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
	}

	/** As {@link #take(Object)}, and leaves the token where it is. */
	public long look(K key) {
		Bucket bucket = this.off ? null : this.buckets.getIfPresent(key);
		if (bucket == null) {
			return 0;
		}
		EstimationProbe probe = bucket.estimateAbilityToConsume(1);
		return probe.canBeConsumed() ? 0 : Math.max(1, probe.getNanosToWaitForRefill());
	}

}
