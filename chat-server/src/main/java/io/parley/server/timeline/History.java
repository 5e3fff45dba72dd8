package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

import io.parley.log.LogRecord;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.database.Database;
import io.parley.server.timeline.DroppedEvents.Mark;
import io.parley.server.error.ChatException;
import io.parley.store.event.RoomHead;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.ReaderOffsets;

import org.springframework.stereotype.Component;

/**
 * What happened in a room: the store and the tail as one. A reader that is behind makes
 * nothing invisible: what is neither stored nor in memory is read again from the log.
 *
 * <p>
 * While the database is away, what is not stored or still in memory is there; what only
 * the database knows is refused with {@code store-unavailable}.
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
	 * The first events of a room after a position, ascending.
	 * @param limit how many at the most
	 */
	public List<PositionedEvent> after(String room, long position, int limit) {
		return after(this.tail.after(room, position), room, position, limit);
	}

	/**
	 * All events of a room after a position, as far as the tail has come.
	 * @param upTo a position of the log that the tail is waited for, 0 for none
	 * @throws IllegalStateException when the tail does not come to it in time
	 */
	public List<PositionedEvent> afterSoFar(String room, long position, long upTo) {
		return after(this.tail.afterSoFar(room, position, upTo), room, position, Integer.MAX_VALUE);
	}

	/**
	 * What records of one partition hold, of all rooms, without repetitions.
	 * @throws IllegalStateException when the tail does not come to them in time
	 */
	public List<PositionedEvent> of(int partition, List<LogRecord> records) {
		return this.log.placed(records,
				this.tail.at(partition, records.getFirst().offset(), records.getLast().offset()));
	}

	private List<PositionedEvent> after(TailPartition.Slice slice, String room, long position, int limit) {
		if (isInMemory(slice, room, position)) {
			return PositionedEvent.chained(position, first(slice.events(), limit));
		}
		try {
			long persisted = persistedOffset(room);
			List<PositionedEvent> events = new ArrayList<>(
					PositionedEvent.of(this.database.ask(() -> this.stored.after(room, position, limit))));
			if (events.size() < limit) {
				events.addAll(notStored(room, last(events, position), slice, persisted).first(limit - events.size()));
			}
			return PositionedEvent.chained(position, events);
		}
		catch (ChatException ex) {
			return PositionedEvent.chained(position, withoutStore(room, position, slice, ex).first(limit));
		}
	}

	/** Whether everything of the room after a position is in the slice. */
	private boolean isInMemory(TailPartition.Slice slice, String room, long position) {
		Long newest = this.tail.newest(room);
		return this.positions.offsetAfter(position) >= slice.floorOffset() || (newest != null && newest <= position);
	}

	/**
	 * How many events of a room come after a position, as far as {@code most}. Loads none
	 * of those that are stored or in memory.
	 */
	public int countAfter(String room, long position, int most) {
		TailPartition.Slice slice = this.tail.after(room, position);
		if (isInMemory(slice, room, position)) {
			return Math.min(most, slice.events().size());
		}
		try {
			long persisted = persistedOffset(room);
			int count = this.database.ask(() -> this.stored.countAfter(room, position, most));
			if (count < most) {
				count += notStored(room, Math.max(position, storedHead(room).position()), slice, persisted).count();
			}
			return Math.min(most, count);
		}
		catch (ChatException ex) {
			return Math.min(most, withoutStore(room, position, slice, ex).count());
		}
	}

	/**
	 * The last events of a room before a position, ascending. While the database is away
	 * they may be fewer than there are.
	 * @param limit how many at the most
	 */
	public List<PositionedEvent> before(String room, long position, int limit) {
		TailPartition.Slice slice = this.tail.after(room, 0);
		try {
			long persisted = persistedOffset(room);
			List<PositionedEvent> recent = notStored(room, storedHead(room).position(), slice, persisted)
				.lastBefore(position, limit);
			if (recent.size() == limit) {
				return recent;
			}
			long end = recent.isEmpty() ? position : recent.getFirst().position();
			List<PositionedEvent> events = new ArrayList<>(
					PositionedEvent.of(this.database.ask(() -> this.stored.before(room, end, limit - recent.size()))));
			events.addAll(recent);
			return PositionedEvent.chained(Long.MAX_VALUE, events);
		}
		catch (ChatException ex) {
			List<PositionedEvent> recent = notStored(room, -1, slice, slice.knownFrom()).lastBefore(position, limit);
			if (recent.isEmpty()) {
				throw ex;
			}
			return recent;
		}
	}

	/** The newest event of a room in the store. */
	public RoomHead storedHead(String room) {
		return this.database.ask(() -> this.stored.head(room));
	}

	/**
	 * The position and number of the newest event of a room.
	 * @param head of the room in the store
	 */
	public RoomHead head(String room, RoomHead head) {
		UnstoredEvents newer = newer(room, head);
		return (newer.count() == 0) ? head
				: new RoomHead(newer.lastPosition(), head.number() + newer.messagesUpTo(Long.MAX_VALUE));
	}

	/** The position of the newest event of a room, from memory when it is there. */
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
	 * How many messages of a room lie up to a position, counting what is not stored yet.
	 * @param head of the room in the store
	 */
	public long numberAt(String room, long position, RoomHead head) {
		return (position <= head.position()) ? this.database.ask(() -> this.stored.numberAt(room, position))
				: head.number() + newer(room, head).messagesUpTo(position);
	}

	/** What came after the head in the store. */
	private UnstoredEvents newer(String room, RoomHead head) {
		TailPartition.Slice slice = this.tail.after(room, head.position());
		long persisted = isInMemory(slice, room, head.position()) ? slice.floorOffset() : persistedOffset(room);
		return notStored(room, head.position(), slice, persisted);
	}

	/**
	 * Whether a client can know that position. It may have it from another server, or
	 * from a reader that is ahead of what the log itself knows; so this may wait a moment
	 * for the tail.
	 */
	public boolean isKnown(String room, long position) {
		return this.positions.isKnown(room, position) || this.tail.comesTo(room, position);
	}

	/**
	 * What comes after a stored position.
	 * @param after -1 for all that is known
	 * @param persisted everything below this offset is stored
	 */
	private UnstoredEvents notStored(String room, long after, TailPartition.Slice slice, long persisted) {
		List<PositionedEvent> scanned = (persisted < slice.knownFrom())
				? this.log.scan(room, after, persisted, slice.knownFrom()) : List.of();
		LongStream dropped = Arrays.stream(slice.dropped())
			.filter((mark) -> Mark.position(mark) > after
					&& this.positions.offsetAfter(Mark.position(mark)) > persisted);
		return new UnstoredEvents(room, after, this.log, scanned, dropped,
				slice.events().stream().filter((event) -> event.position() > after).toList());
	}

	/** What comes after a position, if the tail has seen all of that. */
	private UnstoredEvents withoutStore(String room, long position, TailPartition.Slice slice, ChatException away) {
		if (this.positions.offsetAfter(position) < slice.knownFrom()) {
			throw away;
		}
		return notStored(room, position, slice, slice.knownFrom());
	}

	/** To be asked before the rows are read: all below it are then found. */
	private long persistedOffset(String room) {
		int partition = this.positions.partition(room);
		long persisted = this.database
			.ask(() -> this.offsets.next(PersistenceWorker.READER, partition, this.positions.epoch()));
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
