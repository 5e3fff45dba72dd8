package io.parley.events;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * An event of a room, which is kept in its history. Events are facts: they are appended
 * to the room log once and never changed.
 */
public sealed interface RoomEvent permits RoomCreated, MemberJoined, MemberLeft, MemberRole, MessagePosted,
		MessageEdited, MessageDeleted, ReactionChanged, PinChanged, RoomChanged {

	/** Returns the room of the event; it matches {@link RoomNames#isValid}. */
	String room();

	/** Returns the id of the event, which is unique across all rooms. */
	String id();

	/** Returns the user who caused the event. */
	String sender();

	/** Returns when the server accepted the event, in whole milliseconds. */
	Instant sentAt();

	/**
	 * Returns the id that the sender gave to the event, or null for events without one.
	 */
	default @Nullable String clientId() {
		return null;
	}

	/** Returns the position of the event that this one changes, or 0. */
	default long target() {
		return Positions.NONE;
	}

	/** Returns the root of the thread to which the event belongs, or 0. */
	default long thread() {
		return Positions.NONE;
	}

	/**
	 * Returns the type, which contains the name on the wire, such as {@code
	 * message.posted}.
	 */
	EventType type();

}
