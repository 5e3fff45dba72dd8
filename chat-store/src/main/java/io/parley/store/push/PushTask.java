package io.parley.store.push;

import java.time.Instant;
import java.util.Set;

/**
 * What one user is to be told of one room.
 *
 * @param messages how many are new to all devices of the user
 * @param sender of the last message
 * @param text of the last message, perhaps shortened
 * @param dueAt when it is decided
 * @param expiresAt when it is worth nothing any more
 * @param attempts how often devices were tried in vain
 * @param retryDevices {@link Device#id} of those that have not taken what was sent before
 * @param retryMessages how many messages only those devices miss
 */
public record PushTask(String username, String room, long firstPosition, long lastPosition, int messages,
		boolean mentioned, String sender, String text, Instant dueAt, Instant expiresAt, int attempts,
		Set<String> retryDevices, int retryMessages) {

	/** A task that was not tried yet. */
	public static PushTask of(String username, String room, long position, boolean mentioned, String sender,
			String text, Instant dueAt, Instant expiresAt) {
		return new PushTask(username, room, position, position, 1, mentioned, sender, text, dueAt, expiresAt, 0,
				Set.of(), 0);
	}

	/** This one and a later one of the same user and room together. */
	public PushTask and(PushTask later) {
		return new PushTask(this.username, this.room, this.firstPosition, later.lastPosition,
				this.messages + later.messages, this.mentioned || later.mentioned, later.sender, later.text, this.dueAt,
				later.expiresAt.isAfter(this.expiresAt) ? later.expiresAt : this.expiresAt, this.attempts,
				this.retryDevices, this.retryMessages);
	}

	/** How many messages that device is to be told of; 0 when it knows all. */
	public int messagesFor(String deviceId) {
		return this.messages + (this.retryDevices.contains(deviceId) ? this.retryMessages : 0);
	}

}
