package io.parley.store.push;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import io.parley.store.push.PushTaskRepository.Postponement;
import io.parley.store.push.PushTaskRepository.Retry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Writes many tasks from several threads at the same time: a deadlock would fail one of
 * them.
 */
@StoreTest
class PushTaskOrderTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	private static final Instant FAR = NOW.plusSeconds(3_600);

	private static final int TASKS = 60;

	private static final int ROUNDS = 60;

	private final PushTaskRepository tasks;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	PushTaskOrderTests(PushTaskRepository tasks, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.tasks = tasks;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void fill() {
		this.jdbc.update("DELETE FROM push_task");
		this.tasks.merge(shuffled(0));
	}

	@Test
	void mergesOfTheSameTasksDoNotDeadlock() {
		Threads.atOnce(4, (thread) -> {
			for (int round = 0; round < ROUNDS; round++) {
				List<PushTask> tasks = shuffled(thread * ROUNDS + round);
				this.transaction.executeWithoutResult((status) -> this.tasks.merge(tasks));
			}
			return true;
		});
		assertThat(this.tasks.count()).isEqualTo(TASKS);
	}

	@Test
	void batchResultsDoNotDeadlockWithMergesAndRenewals() {
		Threads.atOnce(3, (thread) -> {
			for (int round = 0; round < ROUNDS; round++) {
				switch (thread) {
					case 0 -> takeAndFinish(new Random(round));
					case 1 -> this.tasks.renew("claim", FAR);
					default -> {
						List<PushTask> tasks = shuffled(round);
						this.transaction.executeWithoutResult((status) -> this.tasks.merge(tasks));
					}
				}
			}
			return true;
		});
	}

	private void takeAndFinish(Random random) {
		List<PushTask> taken = new ArrayList<>(this.tasks.take(TASKS, FAR, "claim", FAR));
		Collections.shuffle(taken, random);
		int third = taken.size() / 3;
		List<PushTask> ended = taken.subList(0, third);
		List<Retry> retries = taken.subList(third, 2 * third)
			.stream()
			.map((task) -> new Retry(task, Set.of("d"), NOW))
			.toList();
		List<Postponement> postponed = taken.subList(2 * third, taken.size())
			.stream()
			.map((task) -> new Postponement(task, NOW, FAR, null))
			.toList();
		this.transaction.executeWithoutResult((status) -> {
			this.tasks.lock(taken);
			this.tasks.done(ended, "claim", NOW, Duration.ZERO);
			this.tasks.retry(retries, "claim");
			this.tasks.postpone(postponed, "claim");
		});
	}

	private static List<PushTask> shuffled(int seed) {
		List<PushTask> tasks = new ArrayList<>(IntStream.range(0, TASKS)
			.mapToObj((i) -> PushTask.of("user" + i, "r", 1, false, "s", "t", NOW, NOW, FAR))
			.toList());
		Collections.shuffle(tasks, new Random(seed));
		return tasks;
	}

}
