package io.parley.store.push;

import java.time.Instant;
import java.util.Comparator;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What one user is to be told of one room.
 *
 * @param messages how many are new to all devices of the user
 * @param sender of the newest message
 * @param text of the newest message, perhaps shortened
 * @param sentAt when the newest message was sent
 * @param dueAt when it is decided
 * @param expiresAt when it is worth nothing any more
 * @param attempts how often devices were tried in vain
 * @param retryDevices {@link Device#id} of those that have not taken what was sent before
 * @param retryMessages how many messages only those devices miss
 * @param waitsSince since when it has been postponed because nobody knows yet whether the
 * user has received it live; null when it has not
 */
public record PushTask(String username, String room, long firstPosition, long lastPosition, int messages,
		boolean mentioned, String sender, String text, Instant sentAt, Instant dueAt, Instant expiresAt, int attempts,
		Set<String> retryDevices, int retryMessages, @Nullable Instant waitsSince) {

	/**
	 * Many tasks are written in this order. In different orders, two writers could lock
	 * each other out.
	 */
	static final Comparator<PushTask> ORDER = Comparator.comparing(PushTask::username).thenComparing(PushTask::room);

	/** A task that was not tried yet. */
	public static PushTask of(String username, String room, long position, boolean mentioned, String sender,
			String text, Instant sentAt, Instant dueAt, Instant expiresAt) {
		return new PushTask(username, room, position, position, 1, mentioned, sender, text, sentAt, dueAt, expiresAt, 0,
				Set.of(), 0, null);
	}

	/**
	 * This one and another of the same user and room together, due when this one is. It
	 * shows the message with the highest position.
	 */
	public PushTask and(PushTask other) {
		PushTask newest = (other.lastPosition >= this.lastPosition) ? other : this;
		return new PushTask(this.username, this.room, Math.min(this.firstPosition, other.firstPosition),
				newest.lastPosition, this.messages + other.messages, this.mentioned || other.mentioned, newest.sender,
				newest.text, later(this.sentAt, other.sentAt), this.dueAt, later(this.expiresAt, other.expiresAt),
				this.attempts, this.retryDevices, this.retryMessages, this.waitsSince);
	}

	private static Instant later(Instant one, Instant other) {
		return other.isAfter(one) ? other : one;
	}

	/** How many messages that device is to be told of; 0 when it knows all. */
	public int messagesFor(String deviceId) {
		return this.messages + (this.retryDevices.contains(deviceId) ? this.retryMessages : 0);
	}

}
