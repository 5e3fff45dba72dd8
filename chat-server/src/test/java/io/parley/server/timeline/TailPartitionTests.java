package io.parley.server.timeline;

import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.events.MessageDeleted;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

class TailPartitionTests {

	@Test
	void returnsTheEventsOfARoomAfterAPosition() {
		TailPartition tail = new TailPartition(1_000_000, 0);
		for (int offset = 0; offset < 10; offset++) {
			tail.add(event((offset % 2 == 0) ? "even" : "odd", offset));
		}
		assertThat(offsets(tail.after("even", 0))).containsExactly(0L, 2L, 4L, 6L, 8L);
		assertThat(offsets(tail.after("even", Positions.of(1, 4)))).containsExactly(6L, 8L);
		assertThat(offsets(tail.after("even", Positions.of(1, 9)))).isEmpty();
		assertThat(offsets(tail.after("none", 0))).isEmpty();
		assertThat(tail.after("none", 0).floorOffset()).isZero();
	}

	@Test
	void evictsTheOldestAndReportsFromWhereItIsComplete() {
		TailPartition tail = new TailPartition(5L * event("new", 15).bytes(), 0);
		for (int offset = 0; offset < 20; offset++) {
			tail.add(event((offset < 15) ? "old" : "new", offset));
		}
		assertThat(offsets(tail.after("new", 0))).containsExactly(15L, 16L, 17L, 18L, 19L);
		assertThat(offsets(tail.after("old", 0))).isEmpty();
		assertThat(tail.after("old", 0).floorOffset()).isEqualTo(15);
	}

	@Test
	void keepsTheNewestEvenIfItExceedsTheLimit() {
		TailPartition tail = new TailPartition(1, 0);
		tail.add(event("r", 0));
		tail.add(event("r", 1));
		assertThat(offsets(tail.after("r", 0))).containsExactly(1L);
	}

	@Test
	@Timeout(30)
	void waitsForAnEventThatIsReadSoon() throws InterruptedException {
		TailPartition tail = new TailPartition(1_000, 5);
		assertThat(tail.awaitRead(5, 0)).isTrue();
		assertThat(tail.awaitRead(6, 1)).isFalse();
		Thread reader = Thread.ofVirtual().start(() -> tail.read(5));
		assertThat(tail.awaitRead(6, 30_000)).isTrue();
		reader.join();
	}

	@Test
	void knowsWhichMessagesAreDeleted() {
		TailPartition tail = new TailPartition(1_000_000, 0);
		tail.add(event("r", 0));
		tail.add(event("r", 1));
		tail.add(event("r", 2));
		tail.add(deletion("r", 3, 1));
		tail.add(event("r", 4));
		assertThat(tail.isDeleted("r", Positions.of(1, 1))).isTrue();
		assertThat(tail.isDeleted("r", Positions.of(1, 0))).isFalse();
		assertThat(tail.isDeleted("r", Positions.of(1, 2))).isFalse();
		assertThat(tail.isDeleted("r", Positions.of(1, 4))).isFalse();
		assertThat(tail.isDeleted("other", Positions.of(1, 1))).isFalse();
	}

	@Test
	void forgetsADeletionThatIsNoLongerInMemory() {
		TailPartition tail = new TailPartition(1, 0);
		tail.add(event("r", 0));
		tail.add(deletion("r", 1, 0));
		assertThat(tail.isDeleted("r", Positions.of(1, 0))).isTrue();
		tail.add(event("r", 2));
		assertThat(tail.isDeleted("r", Positions.of(1, 0))).isFalse();
	}

	@Test
	void ignoresASupersededDeletion() {
		PositionedEvent deletion = deletion("r", 1, 0);
		TailPartition tail = new TailPartition(1_000_000, 0);
		tail.add(event("r", 0));
		tail.add(deletion.with(deletion.record().superseded()));
		assertThat(tail.isDeleted("r", Positions.of(1, 0))).isFalse();
	}

	private static List<Long> offsets(TailPartition.Slice slice) {
		return slice.events().stream().map((event) -> Positions.offset(event.position())).toList();
	}

	private static PositionedEvent event(String room, long offset) {
		return new PositionedEvent(Positions.of(1, offset), 0, EventRecord
			.of(new MessagePosted(room, "id", "anna", "c" + offset, Instant.EPOCH, "text " + offset % 10, Map.of())));
	}

	private static PositionedEvent deletion(String room, long offset, long deleted) {
		return new PositionedEvent(Positions.of(1, offset), 0, EventRecord.of(new MessageDeleted(room, "id", "anna",
				"d" + offset, Instant.EPOCH, Positions.of(1, deleted), "author", null)));
	}

}
