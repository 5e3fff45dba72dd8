package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import java.util.stream.LongStream;

import io.parley.server.timeline.DroppedEvents.Mark;

/**
 * The events of a room that are not in the database yet. Knows the positions of all of
 * them. Events that are no longer in memory are read from the log on demand.
 */
final class UnstoredEvents {

	private final String room;

	private final LogHistory log;

	/** The position before the first event, or -1 if unknown. */
	private final long after;

	/** Events that the tail does not know, read from the log. */
	private final List<PositionedEvent> scanned;

	private final List<PositionedEvent> inMemory;

	/** The marks of all events, in ascending order. */
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

	/** Returns the number of messages up to a position. */
	long messagesUpTo(long position) {
		return Arrays.stream(this.marks)
			.filter((mark) -> Mark.isMessage(mark) && Mark.position(mark) <= position)
			.count();
	}

	/** Returns the first events. */
	List<PositionedEvent> first(int limit) {
		return events(0, Math.min(limit, this.marks.length));
	}

	/** Returns the last events before a position. */
	List<PositionedEvent> lastBefore(long position, int limit) {
		int to = (int) Arrays.stream(this.marks).filter((mark) -> Mark.position(mark) < position).count();
		return events(Math.max(0, to - limit), to);
	}

	/** Returns the events that change others or belong to threads. */
	List<PositionedEvent> changes() {
		return matching(PositionedEvent::isChange, Mark::isChange);
	}

	/**
	 * Returns the events that decide who is mentioned: {@link #changes}, and messages
	 * that may mention somebody.
	 */
	List<PositionedEvent> mentions() {
		return matching((event) -> event.isChange() || event.record().mayMention(),
				(mark) -> Mark.isChange(mark) || Mark.mayMention(mark));
	}

	private List<PositionedEvent> matching(Predicate<PositionedEvent> filter, LongPredicate markFilter) {
		List<PositionedEvent> matching = new ArrayList<>();
		this.scanned.stream().filter(filter).forEach(matching::add);
		long[] dropped = dropped().filter(markFilter).map(Mark::position).toArray();
		if (dropped.length > 0) {
			matching.addAll(this.log.at(this.room, dropped));
		}
		this.inMemory.stream().filter(filter).forEach(matching::add);
		return matching;
	}

	/** Returns the last events of the room that change no others, newest first. */
	List<PositionedEvent> newest(int limit) {
		List<PositionedEvent> newest = new ArrayList<>(limit);
		addNewest(newest, this.inMemory, limit);
		long[] dropped = dropped().filter((mark) -> !Mark.isChange(mark)).map(Mark::position).toArray();
		int missing = Math.min(limit - newest.size(), dropped.length);
		if (missing > 0) {
			addNewest(newest,
					this.log.at(this.room, Arrays.copyOfRange(dropped, dropped.length - missing, dropped.length)),
					limit);
		}
		addNewest(newest, this.scanned, limit);
		return newest;
	}

	private static void addNewest(List<PositionedEvent> newest, List<PositionedEvent> events, int limit) {
		events.reversed()
			.stream()
			.filter((event) -> !event.isChange())
			.limit(limit - newest.size())
			.forEach(newest::add);
	}

	private LongStream dropped() {
		return Arrays.stream(this.marks, this.scanned.size(), this.marks.length - this.inMemory.size());
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
