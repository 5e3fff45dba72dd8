package io.parley.server.session;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

import io.parley.server.limits.KeyedBuckets;
import io.parley.server.error.ErrorCode;

import org.springframework.stereotype.Component;

/**
 * How fast one user may write, over all sessions and requests on this server.
 */
@Component
public class RateLimits {

	private static final int BURST_SECONDS = 5;

	private final Allowances<String> messages;

	private final Allowances<String> signals;

	private final Allowances<String> rooms;

	private final Allowances<String> invitations;

	private final Allowances<Pair> repeatedInvitations;

	RateLimits(LimitProperties limits) {
		this.messages = perSecond(limits.sendsPerSecond());
		this.signals = perSecond(limits.sendsPerSecond());
		this.rooms = perMinute(limits.roomsPerMinute());
		this.invitations = perMinute(limits.invitationsPerMinute());
		this.repeatedInvitations = perMinute(limits.repeatedInvitationsPerMinute());
	}

	private static Allowances<String> perSecond(int rate) {
		return new Allowances<>(rate, BURST_SECONDS, Duration.ofSeconds(1));
	}

	private static <K> Allowances<K> perMinute(int rate) {
		return new Allowances<>(rate, 1, Duration.ofMinutes(1));
	}

	/** Who brings in, and who is brought in. */
	private record Pair(String by, String user) {
	}

	/**
	 * Takes one message from what the user may send.
	 * @throws io.parley.server.error.ChatException when nothing is left
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

	/** One allowance for each key, refilled all the time; a rate of 0 switches it off. */
	private static final class Allowances<K> {

		private final int rate;

		private final KeyedBuckets<K> buckets;

		Allowances(int rate, int periods, Duration period) {
			this.rate = rate;
			this.buckets = new KeyedBuckets<>((long) rate * periods, period.multipliedBy(periods));
		}

		void take(K key, int count, String refusal) {
			long waitNanos = this.buckets.take(key, count);
			if (waitNanos > 0) {
				// Nobody needs to wait longer than until the allowance is full.
				throw ErrorCode.RATE_LIMITED.because(refusal.formatted(this.rate),
						Duration.ofNanos(Math.min(waitNanos, TimeUnit.MINUTES.toNanos(1))));
			}
		}

	}

}
