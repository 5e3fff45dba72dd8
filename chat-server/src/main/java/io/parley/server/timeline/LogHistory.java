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
 * Reads events of a room from the log itself: those that are neither stored nor in
 * memory, because the persistence-worker is behind.
 */
@Component
class LogHistory {

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	/** So far the reader goes on to the next event; what is further is sought. */
	private static final int NEAR = 500;

	private final RoomLog log;

	private final RoomPositions positions;

	private final RecentMessages recent;

	LogHistory(RoomLog log, RoomPositions positions, RecentMessages recent) {
		this.log = log;
		this.positions = positions;
		this.recent = recent;
	}

	/** The events of a room at these positions, which ascend. */
	List<PositionedEvent> at(String room, long[] positions) {
		List<PositionedEvent> events = new ArrayList<>(positions.length);
		try {
			while (events.size() < positions.length) {
				readNear(room, positions, events);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while the log is read", ex);
		}
		return events;
	}

	/** Reads the next one, and those that follow near to it. */
	private void readNear(String room, long[] positions, List<PositionedEvent> events) throws InterruptedException {
		long next = Positions.offset(positions[events.size()]);
		try (LogReader reader = this.log.follow(this.positions.partition(room), next)) {
			while (events.size() < positions.length && Positions.offset(positions[events.size()]) - next < NEAR) {
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
					throw new IllegalStateException("The log does not give offset " + wanted);
				}
			}
		}
	}

	private static List<LogRecord> poll(LogReader reader, int most, long next) throws InterruptedException {
		List<LogRecord> records = reader.poll(most, TIMEOUT);
		if (records.isEmpty()) {
			throw new IllegalStateException("The log does not give offset " + next);
		}
		return records;
	}

	/**
	 * The first events after a position, ascending. Looks through all records of the
	 * partition in between, one caller at a time.
	 * @param persisted everything below this offset is stored
	 * @param to everything from this offset on is known
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
							&& !this.recent.isRepetition(event, position)) {
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
	 * What records of one partition hold, without repetitions and what cannot be read.
	 * @param inMemory those of them that are in memory, with the place before them; of
	 * the others it may not be known, and is then given as in {@link Tail}
	 */
	List<PositionedEvent> placed(List<LogRecord> records, List<PositionedEvent> inMemory) {
		Map<Long, Long> knownPrevs = new HashMap<>();
		inMemory.forEach((event) -> knownPrevs.put(event.position(), event.prev()));
		Map<String, Long> lastOfRooms = new HashMap<>();
		List<PositionedEvent> events = new ArrayList<>(records.size());
		for (LogRecord record : records) {
			EventRecord event = decode(record);
			long position = this.positions.position(record.offset());
			if (event != null && !this.recent.isRepetition(event, position)) {
				Long before = lastOfRooms.put(event.room(), position);
				long prev = (before != null) ? before : knownPrevs.getOrDefault(position, position - 1);
				events.add(new PositionedEvent(position, prev, event));
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
