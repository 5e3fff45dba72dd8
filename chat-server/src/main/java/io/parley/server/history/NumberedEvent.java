package io.parley.server.history;

/**
 * An event with the count of messages up to it.
 *
 * @param number of this message in the room, from 1; for other events that of the message
 * before
 */
public record NumberedEvent(PlacedEvent event, long number) {

	/** What clients get in a page of history. */
	public byte[] json() {
		return this.event.record().json(this.event.position(), this.event.prev(), this.number);
	}

}
