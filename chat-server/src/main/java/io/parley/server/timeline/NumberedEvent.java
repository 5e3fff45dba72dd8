package io.parley.server.timeline;

import org.jspecify.annotations.Nullable;

/**
 * An event with the count of messages up to it.
 *
 * @param number of this message in the room, from 1; for other events that of the message
 * before; null when it is not known, because the database is away
 */
public record NumberedEvent(PositionedEvent event, @Nullable Long number) {

	/** What clients get in a page of history. */
	public byte[] json() {
		return (this.number != null) ? this.event.record().json(this.event.position(), this.event.prev(), this.number)
				: this.event.json();
	}

}
