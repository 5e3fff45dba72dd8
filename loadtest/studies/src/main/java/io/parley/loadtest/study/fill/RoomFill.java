package io.parley.loadtest.study.fill;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.IntConsumer;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.loadtest.study.fill.FillStore.Room;

/**
 * The new messages of one room: they follow its last event and each other, in position
 * and in number, and are spread over the last 90 days.
 */
final class RoomFill {

	private static final int ROWS_PER_TRANSACTION = 5_000;

	private static final Duration PAST = Duration.ofDays(90);

	private static final String TEXT = "What people write to each other is about as long as this. ";

	private final FillStore store;

	private final Room room;

	private final long epoch;

	private final int number;

	/**
	 * A row of the history.
	 */
	record Row(long position, long prev, long number, EventRecord event) {

		String body() {
			return new String(this.event.tail(), StandardCharsets.UTF_8);
		}

	}

	/**
	 * Prepares a room.
	 * @param epoch of the positions
	 * @param number of the room in this fill, which makes the ids of the events unique
	 */
	RoomFill(FillStore store, Room room, long epoch, int number) {
		this.store = store;
		this.room = room;
		this.epoch = epoch;
		this.number = number;
	}

	/**
	 * Writes that many messages. Each transaction leaves a complete history.
	 * @param written is told the number of rows of each transaction
	 */
	void write(long messages, IntConsumer written) {
		Instant start = Instant.now().minus(PAST);
		long step = PAST.toMillis() / Math.max(1, messages);
		long last = this.room.head();
		for (long begun = 0; begun < messages; begun += ROWS_PER_TRANSACTION) {
			List<Row> rows = new ArrayList<>();
			for (long n = begun; n < Math.min(messages, begun + ROWS_PER_TRANSACTION); n++) {
				long position = Math.max(Positions.of(this.epoch, 0), last + 1);
				rows.add(new Row(position, last, this.room.numbered() + n + 1, event(n, start.plusMillis(n * step))));
				last = position;
			}
			this.store.write(this.room, rows);
			written.accept(rows.size());
		}
		if (messages > 0) {
			this.store.markRead(this.room.id());
		}
	}

	private EventRecord event(long n, Instant sentAt) {
		String sender = this.room.members().get((int) ((n * 7 + n / 3) % this.room.members().size()));
		String id = new UUID(this.epoch << 32 | this.number, n).toString();
		String clientId = "fill-" + this.epoch + "-" + n;
		return EventRecord.of(new MessagePosted(this.room.id(), id, sender, clientId, sentAt, TEXT + n, Map.of()));
	}

}
