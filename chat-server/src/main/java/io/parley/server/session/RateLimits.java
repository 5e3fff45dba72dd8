package io.parley.server.session;

import java.time.Duration;
import java.util.Collection;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.parley.server.refusal.Refusal;

import org.springframework.stereotype.Component;

/**
 * How fast one user may write, over all sessions and requests on this server.
 */
@Component
public class RateLimits {

	private static final int BURST_SECONDS = 5;

	/** Allowances of those who wrote last; the others are full again, or nearly. */
	private static final int MOST_KEPT = 100_000;

	private final Allowances<String> messages;

	private final Allowances<String> signals;

	private final Allowances<String> rooms;

	private final Allowances<String> invitations;

	private final Allowances<Pair> repeatedInvitations;

	RateLimits(LimitProperties limits) {
		this.messages = perSecond(limits.sendsPerSecond());
		this.signals = perSecond(limits.sendsPerSecond());
		this.rooms = new Allowances<>(limits.roomsPerMinute(), limits.roomsPerMinute(), Duration.ofMinutes(1));
		this.invitations = new Allowances<>(limits.invitationsPerMinute(), limits.invitationsPerMinute(),
				Duration.ofMinutes(1));
		this.repeatedInvitations = new Allowances<>(limits.repeatedInvitationsPerMinute(),
				limits.repeatedInvitationsPerMinute(), Duration.ofMinutes(1));
	}

	private static Allowances<String> perSecond(int rate) {
		return new Allowances<>(rate, (long) rate * BURST_SECONDS, Duration.ofSeconds(1));
	}

	/** Who brings in, and who is brought in. */
	private record Pair(String by, String user) {
	}

	/**
	 * Takes one message from what the user may send.
	 * @throws io.parley.server.refusal.RefusedException when nothing is left
	 */
	public void takeMessage(String user) {
		this.messages.take(user, 1, "More than %d a second; pause and send it again.");
	}

	/**
	 * The same for typing, read markers, and each HTTP request that changes something.
	 * They share an allowance of their own.
	 */
	public void takeSignal(String user) {
		this.signals.take(user, 1, "More than %d a second; pause and send it again.");
	}

	/** Takes one room from those that the user may open. */
	public void takeRoom(String user) {
		this.rooms.take(user, 1, "More than %d new rooms a minute; open it later.");
	}

	/**
	 * Takes one for each user who is brought into a room, and one from how often they may
	 * be brought in by the same user.
	 */
	public void takeInvitations(String by, Collection<String> invited) {
		if (invited.isEmpty()) {
			return;
		}
		this.invitations.take(by, invited.size(), "More than %d users a minute are brought in; bring in fewer.");
		for (String user : invited) {
			this.repeatedInvitations.take(new Pair(by, user), 1,
					"The same user is brought in more than %d times a minute; do it later.");
		}
	}

	/** One allowance for each key, refilled all the time. */
	private static final class Allowances<K> {

		private final int rate;

		private final LoadingCache<K, Bucket> buckets;

		Allowances(int rate, long atOnce, Duration period) {
			this.rate = rate;
			this.buckets = Caffeine.newBuilder()
				.maximumSize(MOST_KEPT)
				.expireAfterAccess(Duration.ofMinutes(1))
				.build((key) -> Bucket.builder()
					.addLimit((limit) -> limit.capacity(Math.max(1, atOnce)).refillGreedy(Math.max(1, rate), period))
					.build());
		}

		void take(K key, int count, String refusal) {
			if (this.rate == 0) {
				return;
			}
			ConsumptionProbe taken = this.buckets.get(key).tryConsumeAndReturnRemaining(count);
			if (!taken.isConsumed()) {
				throw Refusal.RATE_LIMITED.because(refusal.formatted(this.rate), wait(taken));
			}
		}

		/** Nobody needs to wait longer than until the allowance is full. */
		private static Duration wait(ConsumptionProbe probe) {
			Duration longest = Duration.ofMinutes(1);
			Duration needed = Duration.ofNanos(probe.getNanosToWaitForRefill());
			return (needed.compareTo(longest) < 0) ? needed : longest;
		}

	}

}
