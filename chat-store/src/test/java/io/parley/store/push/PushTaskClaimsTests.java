package io.parley.store.push;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
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

@StoreTest
class PushTaskClaimsTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	static final int TASKS = 400;

	private final PushTaskRepository tasks;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	PushTaskClaimsTests(PushTaskRepository tasks, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.tasks = tasks;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_task");
	}

	@Test
	void areExclusiveAmongWorkers() {
		mergeAll();
		Queue<String> taken = new ConcurrentLinkedQueue<>();
		AtomicInteger left = new AtomicInteger(TASKS);
		Threads.atOnce(8, (worker) -> {
			// For a moment no task may be available, because the other workers hold
			// them all.
			for (int round = 0; left.get() > 0 && round < 10_000; round++) {
				List<PushTask> mine = take("worker" + worker + "-" + round, NOW);
				mine.forEach((task) -> taken.add(task.username()));
				left.addAndGet(-mine.size());
			}
			return true;
		});
		assertThat(taken).hasSize(TASKS).doesNotHaveDuplicates();
	}

	@Test
	void doNotWaitForATaskThatAnotherWorkerIsTaking() {
		this.tasks.merge(List.of(task("anna"), task("bert")));
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.queryForList("SELECT username FROM push_task WHERE username = 'anna' FOR UPDATE");
			assertThat(Threads.elsewhere(() -> take("c1", NOW))).extracting(PushTask::username).containsExactly("bert");
		});
		assertThat(take("c2", NOW)).extracting(PushTask::username).containsExactly("anna");
	}

	@Test
	void doNotWaitForTheOtherTasksOfAnotherWorker() {
		mergeAll();
		List<PushTask> ours = takeHalf("c1");
		List<PushTask> others = takeHalf("c2");
		this.transaction.executeWithoutResult((status) -> {
			this.tasks.lock(ours);
			Threads.runElsewhere(() -> this.transaction
				.executeWithoutResult((inner) -> this.tasks.done(others, "c2", NOW, Duration.ZERO)));
		});
		assertThat(this.tasks.count()).isEqualTo(TASKS / 2);
	}

	@Test
	void expireWhenATaskIsNotFinishedInTime() {
		this.tasks.merge(List.of(task("anna")));
		PushTask lost = take("c1", NOW).getFirst();
		assertThat(take("c2", NOW.plusSeconds(59))).isEmpty();
		PushTask again = take("c2", NOW.plusSeconds(60)).getFirst();
		assertThat(again.messages()).isEqualTo(1);
		PushTask before = pending();
		this.tasks.done(List.of(lost), "c1", NOW, Duration.ZERO);
		this.tasks.retry(List.of(new Retry(lost, Set.of("d"), NOW)), "c1");
		this.tasks.postpone(List.of(new Postponement(lost, NOW, NOW, null)), "c1");
		assertThat(pending()).isEqualTo(before);
		this.tasks.done(List.of(again), "c2", NOW, Duration.ZERO);
		assertThat(this.tasks.count()).isZero();
	}

	@Test
	void areExtendedByARenewal() {
		this.tasks.merge(List.of(task("anna"), task("bert")));
		take("c1", NOW);
		this.tasks.renew("another", NOW.plusSeconds(600));
		this.tasks.renew("c1", NOW.plusSeconds(90));
		assertThat(take("c2", NOW.plusSeconds(89))).isEmpty();
		assertThat(take("c2", NOW.plusSeconds(90))).hasSize(2);
	}

	@Test
	void endWithADecision() {
		this.tasks.merge(List.of(task("anna")));
		PushTask taken = take("c1", NOW).getFirst();
		this.tasks.postpone(List.of(new Postponement(taken, NOW, NOW, null)), "c1");
		this.tasks.done(List.of(taken), "c1", NOW, Duration.ZERO);
		assertThat(pending().messages()).isEqualTo(1);
	}

	private List<PushTask> take(String claim, Instant now) {
		return this.tasks.take(7, now, claim, now.plusSeconds(60));
	}

	void mergeAll() {
		this.tasks.merge(IntStream.range(0, TASKS).mapToObj((i) -> task("user" + i)).toList());
	}

	List<PushTask> takeHalf(String claim) {
		return this.tasks.take(TASKS / 2, NOW, claim, NOW.plusSeconds(60));
	}

	private PushTask pending() {
		return this.tasks.pending("anna", "r").orElseThrow();
	}

	private static PushTask task(String username) {
		return PushTask.of(username, "r", 1, false, "s", "t", NOW, NOW, NOW.plusSeconds(3_600));
	}

}
