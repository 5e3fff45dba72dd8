package io.parley.store.scheduled;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A message that is sent later.
 *
 * @param id grows with each message; 0 before it is stored
 * @param clientId given by the client, the same in each retry of its request
 * @param body the JSON of the message; empty once it was sent or cancelled
 * @param version grows with each change
 * @param claim of the server that is sending it; null if there is none
 * @param attempts how often it was attempted without a known outcome
 * @param position in the log; null unless it was sent
 * @param code why it was refused; null unless it has failed
 * @param reason the same as text
 */
public record ScheduledMessage(long id, String username, String room, String clientId, String body, Instant sendAt,
		Instant createdAt, long version, ScheduledState state, @Nullable String claim, int attempts,
		@Nullable Long position, @Nullable String code, @Nullable String reason) {

	/** Creates a message to be stored. */
	public ScheduledMessage(String username, String room, String clientId, String body, Instant sendAt,
			Instant createdAt) {
		this(0, username, room, clientId, body, sendAt, createdAt, 1, ScheduledState.WAITING, null, 0, null, null,
				null);
	}

	/**
	 * Returns whether it may be in the log, or may be appended at this moment. Then it
	 * can be neither changed nor cancelled.
	 */
	public boolean isBeingSent() {
		return this.state == ScheduledState.WAITING && (this.claim != null || this.attempts > 0);
	}

	/** Returns the same message, waiting with another body and time. */
	public ScheduledMessage waiting(String newBody, Instant newSendAt) {
		return with(newBody, newSendAt, ScheduledState.WAITING);
	}

	/** Returns the same message, cancelled. */
	public ScheduledMessage cancelled() {
		return with("", this.sendAt, ScheduledState.CANCELLED);
	}

	private ScheduledMessage with(String newBody, Instant newSendAt, ScheduledState newState) {
		return new ScheduledMessage(this.id, this.username, this.room, this.clientId, newBody, newSendAt,
				this.createdAt, this.version, newState, null, 0, null, null, null);
	}

	/**
	 * Returns the client id with which it is posted, however often that is tried. The
	 * time makes it unique also if ids begin again after the database was restored.
	 */
	public String postedClientId() {
		return "scheduled-" + this.id + "-" + Long.toString(this.createdAt.toEpochMilli(), Character.MAX_RADIX);
	}

}
