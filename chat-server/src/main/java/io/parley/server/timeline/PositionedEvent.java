package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.List;

import io.parley.events.EventRecord;
import io.parley.store.event.StoredEvent;

/**
 * An event at its place in its room.
 *
 * @param prev the position of the event before it in the room, 0 for the first
 * @param number as it is stored: how many messages the room had up to and including this
 * event; 0 for none, or when the event was read from the log
 */
public record PositionedEvent(long position, long prev, EventRecord record, long number) {

	/** As it is read from the log. */
	public PositionedEvent(long position, long prev, EventRecord record) {
		this(position, prev, record, 0);
	}

	public String room() {
		return this.record.room();
	}

	static List<PositionedEvent> of(List<StoredEvent> events) {
		return events.stream()
			.map((event) -> new PositionedEvent(event.position(), event.prev(), event.record(), event.number()))
			.toList();
	}

	/**
	 * Events that follow one after the other. Where the tail did not know what came
	 * before, it is known here.
	 * @param after what lies before the first one
	 */
	static List<PositionedEvent> chained(long after, List<PositionedEvent> events) {
		List<PositionedEvent> chained = new ArrayList<>(events.size());
		long prev = after;
		for (PositionedEvent event : events) {
			chained.add((event.prev() <= prev) ? event
					: new PositionedEvent(event.position(), prev, event.record(), event.number()));
			prev = event.position();
		}
		return chained;
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
