package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.List;

import io.parley.events.EventRecord;
import io.parley.events.Positions;
import io.parley.store.event.StoredEvent;

/**
 * An event with its position in its room.
 *
 * @param prev the position of the preceding event of the room, 0 for the first
 * @param number the stored number of messages in the room up to and including this event;
 * 0 if there are none, or if the event was read from the log
 */
public record PositionedEvent(long position, long prev, EventRecord record, long number) {

	/** Creates an event as read from the log, without a number. */
	public PositionedEvent(long position, long prev, EventRecord record) {
		this(position, prev, record, 0);
	}

	public String room() {
		return this.record.room();
	}

	/** Returns whether the event changes another one, or belongs to a thread. */
	boolean isChange() {
		return this.record.target() != Positions.NONE || this.record.thread() != Positions.NONE;
	}

	/** Returns the event with another content. */
	PositionedEvent with(EventRecord other) {
		return new PositionedEvent(this.position, this.prev, other, this.number);
	}

	static List<PositionedEvent> of(List<StoredEvent> events) {
		return events.stream()
			.map((event) -> new PositionedEvent(event.position(), event.prev(), event.record(), event.number()))
			.toList();
	}

	/**
	 * Links consecutive events of a room. Corrects each {@code prev} that the tail did
	 * not know.
	 * @param after the position before the first event
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

	/** Returns the event as clients receive it in the body of a MESSAGE. */
	public byte[] json() {
		return this.record.json(this.position, this.prev);
	}

	/** Returns the approximate size in memory. */
	public int bytes() {
		return 400 + this.record.facts().length + this.record.tail().length;
	}

}
