package io.parley.store.push;

import java.time.Instant;

import io.parley.events.Positions;
import org.jspecify.annotations.Nullable;

/**
 * Why a push was sent or not, for the messages from one position to another.
 *
 * @param deviceId {@link Device#id}; null if the decision concerns the user as a whole
 * @param thread the root of the thread, or 0 for messages of the room itself
 */
public record PushLogEntry(String username, String room, long firstPosition, long lastPosition, Instant at,
		Outcome outcome, @Nullable String deviceId, Device.@Nullable Platform platform, String detail, long thread) {

	/** Creates an entry about messages of the room itself. */
	public PushLogEntry(String username, String room, long firstPosition, long lastPosition, Instant at,
			Outcome outcome, @Nullable String deviceId, Device.@Nullable Platform platform, String detail) {
		this(username, room, firstPosition, lastPosition, at, outcome, deviceId, platform, detail, Positions.NONE);
	}

	/** The decision, or the answer of the provider. */
	public enum Outcome {

		/** The provider accepted it. */
		SENT,

		/** The provider did not accept it now; it is retried. */
		RETRIED,

		/** The provider will never accept it. */
		REFUSED,

		/** The device no longer exists and was removed. */
		GONE,

		/** The maximum number of attempts was reached. */
		PARKED,

		/** It is too old for a notification. */
		EXPIRED,

		/** It is kept until the quiet hours end. */
		POSTPONED,

		/** The user has read it. */
		READ,

		/** A live session of the user has received it. */
		RECEIVED,

		/** The user does not want a notification. */
		MUTED,

		/** The user has no device. */
		NO_DEVICE,

		/** The user has left the room. */
		NOT_A_MEMBER,

		/** The messages were deleted. */
		DELETED

	}

}
