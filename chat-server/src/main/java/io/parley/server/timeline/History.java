package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.parley.log.LogRecord;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
import io.parley.server.timeline.DroppedEvents.Mark;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.event.RoomHead;
import io.parley.store.log.ReaderOffsets;

import org.springframework.stereotype.Component;

/**
 * The events of a room, combined from the store, the tail and the log. A lagging
 * persistence-worker hides no events: those that are neither stored nor in memory are
 * read from the log. Safe for use by many threads.
 *
 * <p>
 * While the database is unavailable, events that are in memory or not stored yet are
 * returned. Calls that need the database fail with {@code store-unavailable}.
 */
@Component
public class History {

	private final Tail tail;

	private final RoomEventRepository stored;

	private final ReaderOffsets offsets;

	private final RoomPositions positions;

	private final LogHistory log;

	private final Database database;

	History(Tail tail, RoomEventRepository stored, ReaderOffsets offsets, RoomPositions positions, LogHistory log,
			Database database) {
		this.tail = tail;
		this.stored = stored;
		this.offsets = offsets;
		this.positions = positions;
		this.log = log;
		this.database = database;
	}

	/**
	 * Returns the first events of a room after a position, in ascending order.
	 * @param limit the maximum number of events
	 */
	public List<PositionedEvent> after(String room, long position, int limit) {
		return after(this.tail.after(room, position), room, position, limit);
	}

	/**
	 * Returns all events of a room after a position, up to the newest one that the tail
	 * has read.
	 * @param upTo waits until the tail has read this position; 0 to not wait
	 * @throws IllegalStateException if the tail does not read it in time
	 */
	public List<PositionedEvent> allAfter(String room, long position, long upTo) {
		return after(this.tail.allAfter(room, position, upTo), room, position, Integer.MAX_VALUE);
	}

	/**
	 * Returns the events of all rooms in records of one partition, without duplicates.
	 * @throws IllegalStateException if the tail does not read them in time
	 */
	public List<PositionedEvent> of(int partition, List<LogRecord> records) {
		return this.log.positioned(records,
				this.tail.at(partition, records.getFirst().offset(), records.getLast().offset()));
	}

	private List<PositionedEvent> after(TailPartition.Slice slice, String room, long position, int limit) {
		if (isInMemory(slice, room, position)) {
			return PositionedEvent.chained(position, first(slice.events(), limit));
		}
		try {
			long persisted = persistedOffset(room);
			List<PositionedEvent> events = new ArrayList<>(
					PositionedEvent.of(this.database.query(() -> this.stored.after(room, position, limit))));
			if (events.size() < limit) {
				events.addAll(unstored(room, last(events, position), slice, persisted).first(limit - events.size()));
			}
			return PositionedEvent.chained(position, events);
		}
		catch (ChatException ex) {
			return PositionedEvent.chained(position, unstoredOnly(room, position, slice, ex).first(limit));
		}
	}

	/** Whether the slice holds all events of the room after a position. */
	private boolean isInMemory(TailPartition.Slice slice, String room, long position) {
		Long newest = this.tail.newest(room);
		return this.positions.offsetAfter(position) >= slice.floorOffset() || (newest != null && newest <= position);
	}

	/**
	 * Counts the events of a room after a position, up to {@code max}. Does not load
	 * those that are stored or in memory.
	 */
	public int countAfter(String room, long position, int max) {
		TailPartition.Slice slice = this.tail.after(room, position);
		if (isInMemory(slice, room, position)) {
			return Math.min(max, slice.events().size());
		}
		try {
			long persisted = persistedOffset(room);
			int count = this.database.query(() -> this.stored.countAfter(room, position, max));
			if (count < max) {
				count += unstored(room, Math.max(position, storedHead(room).position()), slice, persisted).count();
			}
			return Math.min(max, count);
		}
		catch (ChatException ex) {
			return Math.min(max, unstoredOnly(room, position, slice, ex).count());
		}
	}

	/**
	 * Returns the last events of a room before a position, in ascending order. While the
	 * database is unavailable, some may be missing.
	 * @param limit the maximum number of events
	 */
	public List<PositionedEvent> before(String room, long position, int limit) {
		TailPartition.Slice slice = this.tail.after(room, 0);
		try {
			long persisted = persistedOffset(room);
			List<PositionedEvent> recent = unstored(room, storedHead(room).position(), slice, persisted)
				.lastBefore(position, limit);
			if (recent.size() == limit) {
				return recent;
			}
			long end = recent.isEmpty() ? position : recent.getFirst().position();
			List<PositionedEvent> events = new ArrayList<>(PositionedEvent
				.of(this.database.query(() -> this.stored.before(room, end, limit - recent.size()))));
			events.addAll(recent);
			return PositionedEvent.chained(Long.MAX_VALUE, events);
		}
		catch (ChatException ex) {
			List<PositionedEvent> recent = unstored(room, -1, slice, slice.knownFrom()).lastBefore(position, limit);
			if (recent.isEmpty()) {
				throw ex;
			}
			return recent;
		}
	}

	/** Returns the newest stored event of a room. */
	public RoomHead storedHead(String room) {
		return this.database.query(() -> this.stored.head(room));
	}

	/**
	 * Returns the position and number of the newest event of a room.
	 * @param head the newest stored event of the room
	 */
	public RoomHead head(String room, RoomHead head) {
		UnstoredEvents newer = newer(room, head);
		return (newer.count() == 0) ? head
				: new RoomHead(newer.lastPosition(), head.number() + newer.messagesUpTo(Long.MAX_VALUE));
	}

	/** Returns the position of the newest event of a room, from memory if known there. */
	public long headPosition(String room) {
		this.tail.of(room);
		Long newest = this.tail.newest(room);
		if (newest != null) {
			return newest;
		}
		long head = head(room, storedHead(room)).position();
		this.tail.remember(room, head);
		return head;
	}

	/**
	 * Returns the number of messages of a room up to a position, stored or not.
	 * @param head the newest stored event of the room
	 */
	public long numberAt(String room, long position, RoomHead head) {
		return (position <= head.position()) ? this.database.query(() -> this.stored.numberAt(room, position))
				: head.number() + newer(room, head).messagesUpTo(position);
	}

	/** The events after the newest stored one. */
	private UnstoredEvents newer(String room, RoomHead head) {
		TailPartition.Slice slice = this.tail.after(room, head.position());
		long persisted = isInMemory(slice, room, head.position()) ? slice.floorOffset() : persistedOffset(room);
		return unstored(room, head.position(), slice, persisted);
	}

	/**
	 * Returns whether the position may be known to clients. It may come from a server or
	 * reader that is ahead of this log client, so this may wait briefly for the tail.
	 */
	public boolean isKnown(String room, long position) {
		return this.positions.isKnown(room, position) || this.tail.awaitPosition(room, position);
	}

	/**
	 * The events after a stored position.
	 * @param after the position, or -1 for all that are known
	 * @param persisted all events below this offset are stored
	 */
	private UnstoredEvents unstored(String room, long after, TailPartition.Slice slice, long persisted) {
		List<PositionedEvent> scanned = (persisted < slice.knownFrom())
				? this.log.scan(room, after, persisted, slice.knownFrom()) : List.of();
		LongStream dropped = Arrays.stream(slice.dropped())
			.filter((mark) -> Mark.position(mark) > after
					&& this.positions.offsetAfter(Mark.position(mark)) > persisted);
		return new UnstoredEvents(room, after, this.log, scanned, dropped,
				slice.events().stream().filter((event) -> event.position() > after).toList());
	}

	/** The events after a position, if the tail has seen all of them. */
	private UnstoredEvents unstoredOnly(String room, long position, TailPartition.Slice slice,
			ChatException unavailable) {
		if (this.positions.offsetAfter(position) < slice.knownFrom()) {
			throw unavailable;
		}
		return unstored(room, position, slice, slice.knownFrom());
	}

	/**
	 * Must be called before the rows are queried: then all below the offset are found.
	 */
	private long persistedOffset(String room) {
		int partition = this.positions.partition(room);
		long persisted = this.database
			.query(() -> this.offsets.next(PersistenceWorker.READER, partition, this.positions.epoch()));
		this.tail.stored(partition, persisted);
		return persisted;
	}

	private static long last(List<PositionedEvent> events, long otherwise) {
		return events.isEmpty() ? otherwise : events.getLast().position();
	}

	private static List<PositionedEvent> first(List<PositionedEvent> events, int limit) {
		return (events.size() > limit) ? events.subList(0, limit) : events;
	}

}
