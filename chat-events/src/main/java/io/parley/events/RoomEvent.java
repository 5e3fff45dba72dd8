package io.parley.events;

import java.time.Instant;

/**
 * Something that happened in a room and is kept in its history. Events are facts: they
 * are appended to the room log once and never changed.
 */
public sealed interface RoomEvent permits RoomCreated, MemberJoined, MemberLeft, MessagePosted {

	/** The room it happened in; matches {@link RoomNames#isValid}. */
	String room();

	/** Unique over all rooms. */
	String id();

	/** The user who did it. */
	String sender();

	/** When the server accepted it, in whole milliseconds. */
	Instant sentAt();

	/** The name of the event on the wire, such as {@code message.posted}. */
	EventType type();

}
