package io.parley.server.timeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.events.MessageState;
import io.parley.log.LogRecord;
import io.parley.server.database.Database;
import io.parley.server.error.ChatException;
import io.parley.store.event.MessageStateRepository;
import io.parley.store.event.RoomEventRepository;
import org.jspecify.annotations.Nullable;

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

	private final Backlog backlog;

	private final RoomEventRepository stored;

	private final MessageStateRepository states;

	private final PositionConverter positions;

	private final LogHistory log;

	private final Database database;

	History(Tail tail, Backlog backlog, RoomEventRepository stored, MessageStateRepository states,
			PositionConverter positions, LogHistory log, Database database) {
		this.tail = tail;
		this.backlog = backlog;
		this.stored = stored;
		this.states = states;
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
	 * Returns the events of all rooms in records of one partition as they read now,
	 * without duplicates.
	 * @throws IllegalStateException if the tail does not read them in time
	 */
	public List<PositionedEvent> of(int partition, List<LogRecord> records) {
		List<PositionedEvent> newest = this.tail.from(partition, records.getFirst().offset(),
				records.getLast().offset());
		List<PositionedEvent> events = this.log.positioned(records, newest);
		List<PositionedEvent> changes = new ArrayList<>(events);
		changes.addAll(newest);
		return new PartitionMessageStates(Map.of(), changes).applyTo(events);
	}

	private List<PositionedEvent> after(TailPartition.Slice slice, String room, long position, int limit) {
		if (this.backlog.isInMemory(slice, room, position)) {
			List<PositionedEvent> events = PositionedEvent.chained(position, first(slice.events(), limit));
			return new PartitionMessageStates(Map.of(), slice.events()).applyTo(events);
		}
		try {
			long storedOffset = this.backlog.storedOffset(room);
			List<PositionedEvent> events = new ArrayList<>(
					PositionedEvent.of(this.database.query(() -> this.stored.after(room, position, limit))));
			UnstoredEvents unstored = this.backlog.after(room, last(events, position), slice, storedOffset);
			events.addAll(unstored.first(limit - events.size()));
			return current(room, PositionedEvent.chained(position, events), unstored.changes());
		}
		catch (ChatException ex) {
			UnstoredEvents unstored = this.backlog.withoutStore(room, position, slice, ex);
			List<PositionedEvent> events = PositionedEvent.chained(position, unstored.first(limit));
			return new PartitionMessageStates(Map.of(), unstored.changes()).applyTo(events);
		}
	}

	/** Returns stored and other events as they read after changes that are not stored. */
	private List<PositionedEvent> current(String room, List<PositionedEvent> events, List<PositionedEvent> changes) {
		Set<Long> shown = events.stream().map(PositionedEvent::position).collect(Collectors.toSet());
		List<PositionedEvent> relevant = changes.stream()
			.filter((change) -> shown.contains(change.position()) || shown.contains(change.record().target()))
			.toList();
		if (relevant.isEmpty()) {
			return events;
		}
		Map<Long, MessageState> before = this.database
			.query(() -> this.states.of(room, PartitionMessageStates.targets(relevant)));
		return new PartitionMessageStates(before, changes).applyTo(events);
	}

	/**
	 * Returns the event at a position, or null if the room has none there. A deleted
	 * message has no content.
	 */
	public @Nullable PositionedEvent at(String room, long position) {
		return after(room, position - 1, 1).stream()
			.filter((event) -> event.position() == position)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Counts the events of a room after a position, up to {@code max}. Does not load
	 * those that are stored or in memory.
	 */
	public int countAfter(String room, long position, int max) {
		TailPartition.Slice slice = this.tail.after(room, position);
		if (this.backlog.isInMemory(slice, room, position)) {
			return Math.min(max, slice.events().size());
		}
		try {
			long storedOffset = this.backlog.storedOffset(room);
			int count = this.database.query(() -> this.stored.countAfter(room, position, max));
			if (count < max) {
				count += this.backlog.after(room, Math.max(position, storedHead(room)), slice, storedOffset).count();
			}
			return Math.min(max, count);
		}
		catch (ChatException ex) {
			return Math.min(max, this.backlog.withoutStore(room, position, slice, ex).count());
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
			long storedOffset = this.backlog.storedOffset(room);
			UnstoredEvents unstored = this.backlog.after(room, storedHead(room), slice, storedOffset);
			List<PositionedEvent> recent = unstored.lastBefore(position, limit);
			if (recent.size() == limit) {
				return current(room, recent, unstored.changes());
			}
			long end = recent.isEmpty() ? position : recent.getFirst().position();
			List<PositionedEvent> events = new ArrayList<>(PositionedEvent
				.of(this.database.query(() -> this.stored.before(room, end, limit - recent.size()))));
			events.addAll(recent);
			return current(room, PositionedEvent.chained(Long.MAX_VALUE, events), unstored.changes());
		}
		catch (ChatException ex) {
			UnstoredEvents unstored = this.backlog.after(room, -1, slice, slice.knownFrom());
			List<PositionedEvent> recent = unstored.lastBefore(position, limit);
			if (recent.isEmpty()) {
				throw ex;
			}
			return new PartitionMessageStates(Map.of(), unstored.changes()).applyTo(recent);
		}
	}

	/**
	 * Returns whether the position may be known to clients. It may come from a server or
	 * reader that is ahead of this log client, so this may wait briefly for the tail.
	 */
	public boolean isKnown(String room, long position) {
		return this.positions.isKnown(room, position) || this.tail.awaitPosition(room, position);
	}

	/**
	 * Waits until what this server returns includes an event whose append was confirmed.
	 * @return false if that takes too long
	 */
	public boolean awaitRead(String room, long position) {
		return this.tail.awaitPosition(room, position);
	}

	private long storedHead(String room) {
		return this.database.query(() -> this.stored.head(room)).position();
	}

	private static long last(List<PositionedEvent> events, long otherwise) {
		return events.isEmpty() ? otherwise : events.getLast().position();
	}

	private static List<PositionedEvent> first(List<PositionedEvent> events, int limit) {
		return (events.size() > limit) ? events.subList(0, limit) : events;
	}

}
