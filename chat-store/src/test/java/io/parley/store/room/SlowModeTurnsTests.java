package io.parley.store.room;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.store.StoreTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class SlowModeTurnsTests {

	private static final Instant NOW = Instant.parse("2026-01-31T23:59:59.123Z");

	private static final Duration PAUSE = Duration.ofSeconds(10);

	private final SlowModeTurns turns;

	private final String room = UUID.randomUUID().toString();

	SlowModeTurnsTests(SlowModeTurns turns) {
		this.turns = turns;
	}

	@Test
	void givesOneTurnPerTimeAndUser() {
		assertThat(this.turns.take(this.room, "anna", "c1", NOW, PAUSE)).isNull();
		assertThat(this.turns.take(this.room, "anna", "c2", NOW.plusMillis(9_999), PAUSE)).isEqualTo(NOW);
		assertThat(this.turns.take(this.room, "bert", "c2", NOW, PAUSE)).isNull();
		assertThat(this.turns.take(this.room, "Anna", "c2", NOW, PAUSE)).isNull();
		assertThat(this.turns.take(this.room, "anna", "c3", NOW.plusMillis(10_000), PAUSE)).isNull();
		assertThat(this.turns.take(this.room, "anna", "c4", NOW.plusMillis(19_999), PAUSE))
			.isEqualTo(NOW.plusMillis(10_000));
	}

	@Test
	void givesARetryTheSameTurnAtTheSameTime() {
		this.turns.take(this.room, "anna", "c1", NOW, PAUSE);
		assertThat(this.turns.take(this.room, "anna", "c1", NOW.plusSeconds(5), PAUSE)).isNull();
		assertThat(this.turns.take(this.room, "anna", "c2", NOW.plusSeconds(6), PAUSE)).isEqualTo(NOW);
	}

	@Test
	void takesBackATurnOnlyFromItsMessage() {
		this.turns.take(this.room, "anna", "c1", NOW, PAUSE);
		this.turns.giveBack(this.room, "anna", "c2", NOW);
		this.turns.giveBack(this.room, "anna", "c1", NOW.plusSeconds(1));
		assertThat(this.turns.take(this.room, "anna", "c3", NOW, PAUSE)).isEqualTo(NOW);
		this.turns.giveBack(this.room, "anna", "c1", NOW);
		assertThat(this.turns.take(this.room, "anna", "c3", NOW, PAUSE)).isNull();
		this.turns.clear(this.room);
		assertThat(this.turns.take(this.room, "anna", "c4", NOW, PAUSE)).isNull();
	}

	@Test
	void givesOneOfManyAtTheSameMomentTheTurn() throws Exception {
		int count = 8;
		CyclicBarrier together = new CyclicBarrier(count);
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int round = 0; round < 5; round++) {
				Instant now = NOW.plus(PAUSE.multipliedBy(round));
				List<Future<Boolean>> takes = new ArrayList<>();
				for (int i = 0; i < count; i++) {
					String clientId = "c" + round + "-" + i;
					takes.add(threads.submit(() -> {
						together.await();
						return this.turns.take(this.room, "anna", clientId, now, PAUSE) == null;
					}));
				}
				int taken = 0;
				for (Future<Boolean> take : takes) {
					taken += take.get() ? 1 : 0;
				}
				assertThat(taken).isEqualTo(1);
			}
		}
	}

}
