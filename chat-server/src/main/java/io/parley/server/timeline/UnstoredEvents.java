package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.parley.server.timeline.DroppedEvents.Mark;

/**
 * The events of a room that are not in the database yet: where they lie, and themselves
 * when they are asked for. Those that memory has dropped are read from the log then.
 */
final class UnstoredEvents {

	private final String room;

	private final LogHistory log;

	/** What lies before the first one, or -1 when that is not known. */
	private final long after;

	/** Of those that are not known to memory at all. */
	private final List<PositionedEvent> scanned;

	private final List<PositionedEvent> inMemory;

	/** Of all of them, ascending. */
	private final long[] marks;

	UnstoredEvents(String room, long after, LogHistory log, List<PositionedEvent> scanned, LongStream dropped,
			List<PositionedEvent> inMemory) {
		this.after = after;
		this.room = room;
		this.log = log;
		this.scanned = scanned;
		this.inMemory = inMemory;
		this.marks = LongStream
			.concat(LongStream.concat(scanned.stream().mapToLong(Mark::of), dropped),
					inMemory.stream().mapToLong(Mark::of))
			.toArray();
	}

	int count() {
		return this.marks.length;
	}

	long lastPosition() {
		return Mark.position(this.marks[this.marks.length - 1]);
	}

	/** How many messages are among them up to a position. */
	long messagesUpTo(long position) {
		return Arrays.stream(this.marks)
			.filter((mark) -> Mark.isMessage(mark) && Mark.position(mark) <= position)
			.count();
	}

	/** The first ones. */
	List<PositionedEvent> first(int limit) {
		return events(0, Math.min(limit, this.marks.length));
	}

	/** The last ones before a position. */
	List<PositionedEvent> lastBefore(long position, int limit) {
		int to = (int) Arrays.stream(this.marks).filter((mark) -> Mark.position(mark) < position).count();
		return events(Math.max(0, to - limit), to);
	}

	private List<PositionedEvent> events(int from, int to) {
		int droppedFrom = this.scanned.size();
		int memoryFrom = this.marks.length - this.inMemory.size();
		List<PositionedEvent> events = new ArrayList<>(to - from);
		if (from < droppedFrom) {
			events.addAll(this.scanned.subList(from, Math.min(to, droppedFrom)));
		}
		int first = Math.max(from, droppedFrom);
		int end = Math.min(to, memoryFrom);
		if (first < end) {
			events.addAll(this.log.at(this.room, Arrays.stream(this.marks, first, end).map(Mark::position).toArray()));
		}
		if (to > memoryFrom) {
			events.addAll(this.inMemory.subList(Math.max(from, memoryFrom) - memoryFrom, to - memoryFrom));
		}
		return PositionedEvent.chained(before(from), events);
	}

	private long before(int index) {
		if (index > 0) {
			return Mark.position(this.marks[index - 1]);
		}
		return (this.after >= 0) ? this.after : Long.MAX_VALUE;
	}

}
