package io.parley.server.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import io.parley.events.EventRecord;
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

	private final RoomLog log;

	private final RoomPositions positions;

	private final RecentMessages recent;

	LogHistory(RoomLog log, RoomPositions positions, RecentMessages recent) {
		this.log = log;
		this.positions = positions;
		this.recent = recent;
	}

	/**
	 * The first events after a position, ascending.
	 * @param persisted everything below this offset is stored
	 * @param to everything from this offset on is in memory
	 * @param limit how many at the most
	 */
	List<PlacedEvent> after(String room, long after, long persisted, long to, int limit) {
		List<PlacedEvent> events = new ArrayList<>();
		long prev = after;
		long next = Math.max(persisted, this.positions.offsetAfter(after));
		if (next >= to) {
			return events;
		}
		try (LogReader reader = this.log.follow(this.positions.partition(room), next)) {
			while (next < to && events.size() < limit) {
				List<LogRecord> records = reader.poll(1_000, Duration.ofSeconds(5));
				if (records.isEmpty()) {
					throw new IllegalStateException("The log does not give offset " + next);
				}
				for (LogRecord record : records) {
					next = record.offset() + 1;
					long position = this.positions.position(record.offset());
					EventRecord event = decode(record);
					if (event != null && event.room().equals(room) && position > after && next <= to
							&& events.size() < limit && !this.recent.isRepetition(event, position)) {
						events.add(new PlacedEvent(position, prev, event));
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

	private static @Nullable EventRecord decode(LogRecord record) {
		try {
			return EventRecord.decode(record.data());
		}
		catch (UnreadableEventException ex) {
			return null;
		}
	}

}
