package io.parley.server.history;

import java.util.ArrayList;
import java.util.List;

import io.parley.store.event.RoomEvents;
import io.parley.persistence.PersistenceWorker;
import io.parley.store.event.Head;
import io.parley.store.event.StoredEvent;
import io.parley.store.log.ReaderOffsets;

import org.springframework.stereotype.Component;

/**
 * What happened in a room: the store and the tail as one. A reader that is behind makes
 * nothing invisible: what is neither stored nor in memory is read again from the log.
 */
@Component
public class History {

	private final Tail tail;

	private final RoomEvents stored;

	private final ReaderOffsets offsets;

	private final RoomPositions positions;

	private final LogHistory log;

	History(Tail tail, RoomEvents stored, ReaderOffsets offsets, RoomPositions positions, LogHistory log) {
		this.tail = tail;
		this.stored = stored;
		this.offsets = offsets;
		this.positions = positions;
		this.log = log;
	}

	/**
	 * The first events of a room after a position, ascending.
	 * @param limit how many at the most
	 */
	public List<PlacedEvent> after(String room, long position, int limit) {
		return after(this.tail.after(room, position), room, position, limit);
	}

	/**
	 * All events of a room after a position, as far as the tail has come.
	 * @param upTo a position of the log that the tail is waited for, 0 for none
	 * @throws IllegalStateException when the tail does not come to it in time
	 */
	public List<PlacedEvent> afterSoFar(String room, long position, long upTo) {
		return after(this.tail.afterSoFar(room, position, upTo), room, position, Integer.MAX_VALUE);
	}

	/**
	 * The newest events of a partition, of all rooms, at some offsets. Those that are no
	 * longer in memory are left out.
	 * @throws IllegalStateException when the tail does not come to them in time
	 */
	public List<PlacedEvent> at(int partition, long fromOffset, long toOffset) {
		return this.tail.at(partition, fromOffset, toOffset);
	}

	private List<PlacedEvent> after(PartitionTail.Slice slice, String room, long position, int limit) {
		if (this.positions.offsetAfter(position) >= slice.floorOffset()) {
			return first(slice.events(), limit);
		}
		long persisted = persistedOffset(room);
		List<PlacedEvent> events = new ArrayList<>(
				this.stored.after(room, position, limit).stream().map(History::placed).toList());
		if (events.size() < limit) {
			events.addAll(notStored(room, last(events, position), slice, persisted, limit - events.size()));
		}
		return first(events, limit);
	}

	/**
	 * How many events of a room come after a position, as far as {@code most}. Loads none
	 * of those that are stored or in memory.
	 */
	public int countAfter(String room, long position, int most) {
		PartitionTail partition = this.tail.of(room);
		if (this.positions.offsetAfter(position) >= partition.floorOffset()) {
			return partition.countAfter(room, position, most);
		}
		long persisted = persistedOffset(room);
		int stored = this.stored.countAfter(room, position, most);
		if (stored == most) {
			return most;
		}
		long head = Math.max(position, this.stored.head(room).position());
		int missing = (persisted < partition.floorOffset())
				? this.log.after(room, head, persisted, partition.floorOffset(), most - stored).size() : 0;
		return Math.min(most, stored + missing + partition.countAfter(room, head, most));
	}

	/**
	 * The last events of a room before a position, ascending.
	 * @param limit how many at the most
	 */
	public List<PlacedEvent> before(String room, long position, int limit) {
		PartitionTail.Slice slice = this.tail.after(room, 0);
		long persisted = persistedOffset(room);
		long head = this.stored.head(room).position();
		List<PlacedEvent> recent = notStored(room, head, slice, persisted, Integer.MAX_VALUE).stream()
			.filter((event) -> event.position() < position)
			.toList();
		if (recent.size() >= limit) {
			return recent.subList(recent.size() - limit, recent.size());
		}
		List<PlacedEvent> events = new ArrayList<>(this.stored
			.before(room, recent.isEmpty() ? position : recent.getFirst().position(), limit - recent.size())
			.stream()
			.map(History::placed)
			.toList());
		events.addAll(recent);
		return events;
	}

	/** A page after a position, with numbers. */
	public List<NumberedEvent> pageAfter(String room, long position, int limit) {
		return numbered(room, after(room, position, limit));
	}

	/** A page before a position, with numbers. */
	public List<NumberedEvent> pageBefore(String room, long position, int limit) {
		return numbered(room, before(room, position, limit));
	}

	private List<NumberedEvent> numbered(String room, List<PlacedEvent> events) {
		if (events.isEmpty()) {
			return List.of();
		}
		long number = numberAt(room, events.getFirst().position() - 1, this.stored.head(room));
		List<NumberedEvent> numbered = new ArrayList<>(events.size());
		for (PlacedEvent event : events) {
			number = (event.number() > 0) ? event.number() : number + (event.record().counts() ? 1 : 0);
			numbered.add(new NumberedEvent(event, number));
		}
		return numbered;
	}

	/**
	 * The position and number of the newest event of a room.
	 * @param head of the room in the store
	 */
	public Head head(String room, Head head) {
		List<PlacedEvent> newer = newer(room, head);
		long messages = newer.stream().filter((event) -> event.record().counts()).count();
		return newer.isEmpty() ? head : new Head(newer.getLast().position(), head.number() + messages);
	}

	/** The position of the newest event of a room, from memory when it is there. */
	public long headPosition(String room) {
		List<PlacedEvent> events = this.tail.after(room, 0).events();
		return events.isEmpty() ? head(room, this.stored.head(room)).position() : events.getLast().position();
	}

	/**
	 * How many messages of a room lie up to a position, counting what is not stored yet.
	 * @param head of the room in the store
	 */
	public long numberAt(String room, long position, Head head) {
		if (position <= head.position()) {
			return this.stored.numberAt(room, position);
		}
		return head.number() + newer(room, head).stream()
			.filter((event) -> event.position() <= position && event.record().counts())
			.count();
	}

	/** What came after the head in the store. */
	private List<PlacedEvent> newer(String room, Head head) {
		PartitionTail.Slice slice = this.tail.after(room, head.position());
		return (this.positions.offsetAfter(head.position()) >= slice.floorOffset()) ? slice.events()
				: notStored(room, head.position(), slice, persistedOffset(room), Integer.MAX_VALUE);
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
	 * What comes after a stored position: from the log up to the floor, then the tail.
	 */
	private List<PlacedEvent> notStored(String room, long after, PartitionTail.Slice slice, long persisted, int limit) {
		List<PlacedEvent> events = new ArrayList<>();
		if (persisted < slice.floorOffset()) {
			events.addAll(this.log.after(room, after, persisted, slice.floorOffset(), limit));
		}
		slice.events()
			.stream()
			.filter((event) -> event.position() > after)
			.limit(limit - events.size())
			.forEach(events::add);
		return events;
	}

	/** To be asked before the rows are read: all below it are then found. */
	private long persistedOffset(String room) {
		return this.offsets.next(PersistenceWorker.READER, this.positions.partition(room), this.positions.epoch());
	}

	private static PlacedEvent placed(StoredEvent event) {
		return new PlacedEvent(event.position(), event.prev(), event.record(), event.number());
	}

	private static long last(List<PlacedEvent> events, long otherwise) {
		return events.isEmpty() ? otherwise : events.getLast().position();
	}

	private static List<PlacedEvent> first(List<PlacedEvent> events, int limit) {
		return (events.size() > limit) ? events.subList(0, limit) : events;
	}

}
