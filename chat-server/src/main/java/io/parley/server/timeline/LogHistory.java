package io.parley.server.timeline;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Reads events of a room from the log if they are neither stored nor in memory, because
 * the persistence-worker is behind.
 */
@Component
class LogHistory {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/**
	 * Within this many records, the reader reads on to the next event; beyond, it seeks.
	 */
	private static final int NEAR_RECORDS = 500;

	private final RoomLog log;

	private final PositionConverter positions;

	private final RecentMessages recent;

	LogHistory(RoomLog log, PositionConverter positions, RecentMessages recent) {
		this.log = log;
		this.positions = positions;
		this.recent = recent;
	}

	/** Returns the events of a room at the given positions, which must be ascending. */
	List<PositionedEvent> at(String room, long[] positions) {
		List<PositionedEvent> events = new ArrayList<>(positions.length);
		try {
			while (events.size() < positions.length) {
				readNear(room, positions, events);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while reading the log", ex);
		}
		return events;
	}

	/** Reads the next event and those close after it. */
	private void readNear(String room, long[] positions, List<PositionedEvent> events) throws InterruptedException {
		long next = Positions.offset(positions[events.size()]);
		try (LogReader reader = this.log.follow(this.positions.partition(room), next)) {
			while (events.size() < positions.length
					&& Positions.offset(positions[events.size()]) - next < NEAR_RECORDS) {
				long wanted = Positions.offset(positions[events.size()]);
				for (LogRecord record : poll(reader, (int) (wanted - next) + 1, next)) {
					next = record.offset() + 1;
					if (record.offset() == wanted) {
						long position = positions[events.size()];
						long prev = events.isEmpty() ? position - 1 : events.getLast().position();
						events.add(new PositionedEvent(position, prev, EventRecord.decode(record.data())));
					}
				}
				if (next > wanted && Positions.offset(events.isEmpty() ? 0 : events.getLast().position()) != wanted) {
					throw new IllegalStateException("The log does not return offset " + wanted);
				}
			}
		}
	}

	private static List<LogRecord> poll(LogReader reader, int max, long next) throws InterruptedException {
		List<LogRecord> records = reader.poll(max, TIMEOUT);
		if (records.isEmpty()) {
			throw new IllegalStateException("The log does not return offset " + next);
		}
		return records;
	}

	/**
	 * Returns the events of a room after a position, in ascending order. Scans all
	 * records of the partition in between, for one caller at a time.
	 * @param persisted all events below this offset are stored
	 * @param to all events from this offset on are known
	 */
	synchronized List<PositionedEvent> scan(String room, long after, long persisted, long to) {
		List<PositionedEvent> events = new ArrayList<>();
		long prev = after;
		long next = Math.max(persisted, this.positions.offsetAfter(after));
		if (next >= to) {
			return events;
		}
		try (LogReader reader = this.log.follow(this.positions.partition(room), next)) {
			while (next < to) {
				for (LogRecord record : poll(reader, 1_000, next)) {
					next = record.offset() + 1;
					long position = this.positions.position(record.offset());
					EventRecord event = decode(record);
					if (event != null && event.room().equals(room) && position > after && next <= to
							&& !this.recent.isDuplicate(event, position)) {
						events.add(new PositionedEvent(position, prev, event));
						prev = position;
					}
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return events;
	}

	/**
	 * Returns the events of records of one partition, without duplicates and unreadable
	 * records.
	 * @param inMemory those of the events that are in memory, with their {@code prev}.
	 * For the others {@code prev} may be unknown and is then chosen as in {@link Tail}
	 */
	List<PositionedEvent> positioned(List<LogRecord> records, List<PositionedEvent> inMemory) {
		Map<Long, PositionedEvent> known = new HashMap<>();
		inMemory.forEach((event) -> known.put(event.position(), event));
		Map<String, Long> lastOfRooms = new HashMap<>();
		List<PositionedEvent> events = new ArrayList<>(records.size());
		for (LogRecord record : records) {
			EventRecord event = decode(record);
			long position = this.positions.position(record.offset());
			if (event != null && !this.recent.isDuplicate(event, position)) {
				Long before = lastOfRooms.put(event.room(), position);
				PositionedEvent inTail = known.getOrDefault(position,
						new PositionedEvent(position, position - 1, event));
				events.add((before != null) ? new PositionedEvent(position, before, inTail.record()) : inTail);
			}
		}
		return events;
	}

	private static @Nullable EventRecord decode(LogRecord record) {
		try {
			return EventRecord.decode(record.data());
		}
		catch (UnreadableEventException ex) {
			return null;
		}
	}

}
