package io.parley.store.push;

import java.time.Instant;
import java.util.Comparator;
import java.util.Set;

import io.parley.events.Positions;
import org.jspecify.annotations.Nullable;

/**
 * The pending notification of one user about one room or thread.
 *
 * @param messages the number of messages that are new to all devices of the user
 * @param mention the position of the last message that mentions the user, or of the edit
 * that made a message do so; 0 if there is none
 * @param sender the sender of the newest message
 * @param text the text of the newest message, possibly truncated
 * @param sentAt when the newest message was sent
 * @param dueAt when the task is to be decided
 * @param expiresAt when the notification becomes useless
 * @param attempts the number of failed attempts
 * @param retryDevices the {@link Device#id} of those devices that have not accepted an
 * earlier push
 * @param retryMessages the number of messages that only those devices have missed
 * @param waitsSince since when the task is postponed because it is not known yet whether
 * the user has received the messages live; null if it is not
 * @param thread the root of the thread, or 0 for messages of the room itself
 */
public record PushTask(String username, String room, long firstPosition, long lastPosition, int messages, long mention,
		String sender, String text, Instant sentAt, Instant dueAt, Instant expiresAt, int attempts,
		Set<String> retryDevices, int retryMessages, @Nullable Instant waitsSince, long thread) {

	/**
	 * The order in which many tasks are written. Two writers with different orders could
	 * deadlock.
	 */
	static final Comparator<PushTask> ORDER = Comparator.comparing(PushTask::username)
		.thenComparing(PushTask::room)
		.thenComparing(PushTask::thread);

	/** Creates a task for messages of the room itself. */
	public PushTask(String username, String room, long firstPosition, long lastPosition, int messages, long mention,
			String sender, String text, Instant sentAt, Instant dueAt, Instant expiresAt, int attempts,
			Set<String> retryDevices, int retryMessages, @Nullable Instant waitsSince) {
		this(username, room, firstPosition, lastPosition, messages, mention, sender, text, sentAt, dueAt, expiresAt,
				attempts, retryDevices, retryMessages, waitsSince, Positions.NONE);
	}

	/** Returns a task for a message of the room itself, without attempts. */
	public static PushTask of(String username, String room, long position, boolean mentioned, String sender,
			String text, Instant sentAt, Instant dueAt, Instant expiresAt) {
		return of(new PushKey(username, room), position, mentioned ? position : Positions.NONE, sender, text, sentAt,
				dueAt, expiresAt);
	}

	/** Returns a task without attempts. */
	public static PushTask of(PushKey key, long position, long mention, String sender, String text, Instant sentAt,
			Instant dueAt, Instant expiresAt) {
		return new PushTask(key.username(), key.room(), position, position, 1, mention, sender, text, sentAt, dueAt,
				expiresAt, 0, Set.of(), 0, null, key.thread());
	}

	/** Returns whether a message mentions the user. */
	public boolean mentioned() {
		return this.mention > Positions.NONE;
	}

	/**
	 * Returns the position up to which the user must have read to know everything: that
	 * of the last message, or of a later edit that mentions the user.
	 */
	public long newsPosition() {
		return Math.max(this.lastPosition, this.mention);
	}

	/** Returns user, room and thread. */
	public PushKey key() {
		return new PushKey(this.username, this.room, this.thread);
	}

	/**
	 * Combines this task with another one of the same user, room and thread. The result
	 * is due when this one is. It shows the message with the highest position.
	 */
	public PushTask and(PushTask other) {
		PushTask newest = (other.lastPosition >= this.lastPosition) ? other : this;
		return new PushTask(this.username, this.room, Math.min(this.firstPosition, other.firstPosition),
				newest.lastPosition, this.messages + other.messages, Math.max(this.mention, other.mention),
				newest.sender, newest.text, later(this.sentAt, other.sentAt), this.dueAt,
				later(this.expiresAt, other.expiresAt), this.attempts, this.retryDevices, this.retryMessages,
				this.waitsSince, this.thread);
	}

	/**
	 * Returns this task as it is shown: with another newest message, and without some of
	 * the messages.
	 */
	public PushTask showing(String newSender, String newText, int without) {
		return new PushTask(this.username, this.room, this.firstPosition, this.lastPosition,
				(this.messages > 0) ? Math.max(1, this.messages - without) : 0, this.mention, newSender, newText,
				this.sentAt, this.dueAt, this.expiresAt, this.attempts, this.retryDevices, this.retryMessages,
				this.waitsSince, this.thread);
	}

	private static Instant later(Instant one, Instant other) {
		return other.isAfter(one) ? other : one;
	}

	/** Returns the number of messages for that device; 0 if it has received all. */
	public int messagesFor(String deviceId) {
		return this.messages + (this.retryDevices.contains(deviceId) ? this.retryMessages : 0);
	}

}
