package io.parley.server.limits;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

import io.parley.server.error.ErrorCode;

import org.springframework.stereotype.Component;

/**
 * Limits how fast one user may write, over all sessions and requests on this server. Safe
 * for use by many threads.
 */
@Component
public class RateLimits {

	private static final int BURST_SECONDS = 5;

	private final Allowances<String> messages;

	private final Allowances<String> reactions;

	private final Allowances<String> drafts;

	private final Allowances<String> signals;

	private final Allowances<String> delivered;

	private final Allowances<String> reports;

	private final Allowances<String> rooms;

	private final Allowances<String> invitations;

	private final Allowances<Pair> repeatedInvitations;

	RateLimits(LimitProperties limits) {
		this.messages = perSecond(limits.sendsPerSecond());
		this.reactions = perSecond(limits.reactionsPerSecond());
		this.drafts = perSecond(limits.draftsPerSecond());
		this.signals = perSecond(limits.sendsPerSecond());
		this.delivered = perSecond(limits.deliveredPerSecond());
		this.reports = perMinute(limits.reportsPerMinute());
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

	/** The inviting and the invited user. */
	private record Pair(String by, String user) {
	}

	/**
	 * Takes one message from the allowance of a user.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeMessage(String user) {
		this.messages.take(user, 1, "More than %d a second; pause and send it again.");
	}

	/**
	 * Takes one reaction from the allowance of a user.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeReaction(String user) {
		this.reactions.take(user, 1, "More than %d reactions a second; pause and send it again.");
	}

	/**
	 * Takes one change of a draft from the allowance of a user.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeDraft(String user) {
		this.drafts.take(user, 1, "More than %d changes of drafts a second; save it a moment later.");
	}

	/**
	 * Takes one signal from the allowance of a user: typing, a read marker, or an HTTP
	 * request that changes something. They share this allowance.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeSignal(String user) {
		this.signals.take(user, 1, "More than %d a second; pause and send it again.");
	}

	/**
	 * Takes one report that messages were delivered from the allowance of a user.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeDelivered(String user) {
		this.delivered.take(user, 1, "More than %d a second; report only the newest position of each room.");
	}

	/**
	 * Takes one report of a message from the allowance of a user.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeReport(String user) {
		this.reports.take(user, 1, "More than %d reports a minute; report it later.");
	}

	/**
	 * Takes one room from those that the user may open.
	 * @throws io.parley.server.error.ChatException if nothing is left
	 */
	public void takeRoom(String user) {
		this.rooms.take(user, 1, "More than %d new rooms a minute; open it later.");
	}

	/**
	 * Takes one invitation for each user who is brought into a room, and one from the
	 * allowance for inviting the same user repeatedly.
	 * @throws io.parley.server.error.ChatException if nothing is left
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

	/** One allowance for each key, refilled continuously. A rate of 0 switches it off. */
	private static final class Allowances<K> {

		private final int rate;

		private final KeyedBuckets<K> buckets;

		Allowances(int rate, int periods, Duration period) {
			this.rate = rate;
			this.buckets = new KeyedBuckets<>((long) rate * periods, period.multipliedBy(periods));
		}

		void take(K key, int count, String message) {
			long waitNanos = this.buckets.take(key, count);
			if (waitNanos > 0) {
				// The allowance is full again after one minute at the latest.
				throw ErrorCode.RATE_LIMITED.because(message.formatted(this.rate),
						Duration.ofNanos(Math.min(waitNanos, TimeUnit.MINUTES.toNanos(1))));
			}
		}

	}

}
