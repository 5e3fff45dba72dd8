package io.parley.server.timeline;

import java.util.Arrays;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

import io.parley.server.error.ChatException;
import io.parley.server.timeline.DroppedEvents.Mark;

import org.springframework.stereotype.Component;

/**
 * Finds the events that are not stored yet, in memory and in the log. Safe for use by
 * many threads.
 */
@Component
class Backlog {

	private final Tail tail;

	private final PositionConverter positions;

	private final LogHistory log;

	Backlog(Tail tail, PositionConverter positions, LogHistory log) {
		this.tail = tail;
		this.positions = positions;
		this.log = log;
	}

	/**
	 * Returns an offset below which all events of the room's partition are stored. Must
	 * be called before the rows are queried: then the rows hold all of them.
	 */
	long storedOffset(String room) {
		return this.tail.partition(room).storedOffset();
	}

	/** Returns whether the slice holds all events of the room after a position. */
	boolean isInMemory(TailPartition.Slice slice, String room, long position) {
		Long newest = this.tail.newest(room);
		return this.positions.offsetAfter(position) >= slice.floorOffset() || (newest != null && newest <= position);
	}

	/**
	 * Returns the events after a stored position that are not stored below the offset.
	 * @param after the position, or -1 for all that are known
	 * @param stored all events below this offset are stored
	 */
	UnstoredEvents after(String room, long after, TailPartition.Slice slice, long stored) {
		List<PositionedEvent> scanned = (stored < slice.knownFrom())
				? this.log.scan(room, after, stored, slice.knownFrom()) : List.of();
		LongPredicate wanted = (position) -> position > after && this.positions.offsetAfter(position) > stored;
		LongStream dropped = Arrays.stream(slice.dropped()).filter((mark) -> wanted.test(Mark.position(mark)));
		return new UnstoredEvents(room, after, this.log, scanned, dropped,
				slice.events().stream().filter((event) -> wanted.test(event.position())).toList());
	}

	/**
	 * Returns the events after a position while the database is unavailable.
	 * @throws ChatException the given one, if the tail has not seen all of them
	 */
	UnstoredEvents withoutStore(String room, long position, TailPartition.Slice slice, ChatException unavailable) {
		if (this.positions.offsetAfter(position) < slice.knownFrom()) {
			throw unavailable;
		}
		return after(room, position, slice, slice.knownFrom());
	}

}
