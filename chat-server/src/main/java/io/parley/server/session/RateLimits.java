package io.parley.server.session;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.parley.server.refusal.Refusal;

import org.springframework.stereotype.Component;

/** How fast one user may send, over all sessions on this server. */
@Component
public class RateLimits {

	private static final int BURST_SECONDS = 5;

	private final int perSecond;

	private final LoadingCache<String, Bucket> messages;

	private final LoadingCache<String, Bucket> signals;

	RateLimits(LimitProperties limits) {
		this.perSecond = limits.sendsPerSecond();
		this.messages = buckets();
		this.signals = buckets();
	}

	/**
	 * Takes one message from what the user may send.
	 * @throws io.parley.server.refusal.RefusedException when nothing is left
	 */
	public void takeMessage(String user) {
		take(this.messages, user);
	}

	/** The same for typing and read markers, which have an allowance of their own. */
	public void takeSignal(String user) {
		take(this.signals, user);
	}

	private void take(LoadingCache<String, Bucket> buckets, String user) {
		if (this.perSecond > 0 && !buckets.get(user).tryConsume(1)) {
			throw Refusal.RATE_LIMITED.because("More than " + this.perSecond + " a second; pause and send it again.");
		}
	}

	private LoadingCache<String, Bucket> buckets() {
		int rate = Math.max(1, this.perSecond);
		return Caffeine.newBuilder()
			.expireAfterAccess(Duration.ofMinutes(1))
			.build((user) -> Bucket.builder()
				.addLimit((limit) -> limit.capacity((long) rate * BURST_SECONDS)
					.refillGreedy(rate, Duration.ofSeconds(1)))
				.build());
	}

}
