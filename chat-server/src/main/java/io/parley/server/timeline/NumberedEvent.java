package io.parley.server.timeline;

import org.jspecify.annotations.Nullable;

/**
 * An event with the number of messages up to it.
 *
 * @param number the number of this message in its room, from 1; for other events, that of
 * the preceding message; null if unknown, because the database is unavailable
 */
public record NumberedEvent(PositionedEvent event, @Nullable Long number) {

	/** Returns whether this is a message of the room itself. */
	boolean isMessage() {
		return this.event.record().type().isRoomMessage();
	}

	/** Returns the event as clients receive it in a page of history. */
	public byte[] json() {
		return (this.number != null) ? this.event.record().json(this.event.position(), this.event.prev(), this.number)
				: this.event.json();
	}

}
