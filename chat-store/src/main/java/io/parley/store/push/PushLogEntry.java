package io.parley.store.push;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Why a push was sent or not, for the messages from one position to another.
 *
 * @param deviceId {@link Device#id}; null when it was decided for the user as a whole
 */
public record PushLogEntry(String username, String room, long firstPosition, long lastPosition, Instant at,
		Outcome outcome, @Nullable String deviceId, Device.@Nullable Platform platform, String detail) {

	/** What was decided, or what the provider answered. */
	public enum Outcome {

		/** The provider took it. */
		SENT,

		/** The provider did not take it now; it is tried again. */
		RETRIED,

		/** The provider will never take it. */
		REFUSED,

		/** The device is not there any more and was forgotten. */
		GONE,

		/** Tried too often. */
		PARKED,

		/** Too old to be worth anything. */
		EXPIRED,

		/** Kept until the quiet hours are over. */
		POSTPONED,

		/** The user has read it. */
		READ,

		/** A live session of the user has received it. */
		RECEIVED,

		/** The user does not want to be told. */
		MUTED,

		/** The user has no device. */
		NO_DEVICE,

		/** The user has left the room. */
		NOT_A_MEMBER

	}

}
