package io.parley.store.event;

import io.parley.events.EventRecord;

/**
 * An event in the history of its room.
 *
 * @param prev the position of the previous event in the room; 0 for the first
 * @param number the number of messages in the room up to and including this event
 */
public record StoredEvent(long position, long prev, long number, EventRecord record) {

	/** Returns the JSON that clients get from the history, as UTF-8. */
	public byte[] json() {
		return this.record.json(this.position, this.prev, this.number);
	}

}
