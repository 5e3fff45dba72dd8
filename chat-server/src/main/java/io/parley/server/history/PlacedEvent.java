package io.parley.server.history;

import io.parley.events.EventRecord;

/**
 * An event at its place in its room.
 *
 * @param prev the position of the event before it in the room, 0 for the first
 * @param number as it is stored: how many messages the room had up to and including this
 * event; 0 for none, or when the event was read from the log
 */
public record PlacedEvent(long position, long prev, EventRecord record, long number) {

	/** As it is read from the log. */
	public PlacedEvent(long position, long prev, EventRecord record) {
		this(position, prev, record, 0);
	}

	public String room() {
		return this.record.room();
	}

	/** What clients get as the body of a MESSAGE. */
	public byte[] json() {
		return this.record.json(this.position, this.prev);
	}

	/** Roughly what it takes in memory. */
	public int bytes() {
		return 400 + this.record.tail().length;
	}

}
