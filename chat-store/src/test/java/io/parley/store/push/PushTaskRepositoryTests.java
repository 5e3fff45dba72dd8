package io.parley.store.push;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.push.PushTaskRepository.Postponement;
import io.parley.store.push.PushTaskRepository.Retry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class PushTaskRepositoryTests {

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final Instant SENT = NOW.minusSeconds(4);

	private static final Instant EXPIRES = NOW.plusSeconds(3_600);

	private static final Duration PAUSE = Duration.ofSeconds(30);

	private final PushTaskRepository tasks;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	PushTaskRepositoryTests(PushTaskRepository tasks, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.tasks = tasks;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM push_task");
	}

	@Test
	void mergesAllMessagesOfARoomIntoOneTask() {
		this.tasks.merge(List.of(task("anna", 5, true), task("bert", 5, false)));
		this.tasks.merge(List.of(task("anna", 7, false).and(task("anna", 8, false)), task("cleo", 8, false)));
		assertThat(this.tasks.count()).isEqualTo(3);
		assertThat(pending("anna")).isEqualTo(new PushTask("anna", "r", 5, 8, 3, 5, "sender8", "text8",
				SENT.plusMillis(8), NOW, EXPIRES.plusMillis(8), 0, Set.of(), 0, null));
		assertThat(pending("bert")).isEqualTo(task("bert", 5, false));
		assertThat(pending("cleo")).isEqualTo(task("cleo", 8, false));
		assertThat(this.tasks.pending("anna", "other")).isEmpty();
	}

	@Test
	void distinguishesExistingTasksFromNewOnesInALongBatch() {
		List<PushTask> all = IntStream.range(0, 500).mapToObj((i) -> task("user" + i, 1, false)).toList();
		this.tasks.merge(all.subList(100, 300));
		this.tasks.merge(all);
		assertThat(this.tasks.count()).isEqualTo(500);
		assertThat(pending("user99").messages()).isEqualTo(1);
		assertThat(pending("user100").messages()).isEqualTo(2);
		assertThat(pending("user299").messages()).isEqualTo(2);
		assertThat(pending("user300").messages()).isEqualTo(1);
	}

	@Test
	void joinsTheTransactionOfTheCaller() {
		this.transaction.executeWithoutResult((status) -> {
			this.tasks.merge(List.of(task("anna", 5, true)));
			status.setRollbackOnly();
		});
		assertThat(this.tasks.count()).isZero();
	}

	@Test
	void mergesAMentionIntoATaskWithoutOne() {
		this.tasks.merge(List.of(task("anna", 5, false)));
		this.tasks.merge(List.of(task("anna", 6, true)));
		assertThat(pending("anna").mentioned()).isTrue();
	}

	@Test
	void keepsTheNewestMessageWhenAnOlderOneComesLater() {
		this.tasks.merge(List.of(task("anna", 8, false)));
		this.tasks.merge(List.of(task("anna", 5, false)));
		assertThat(pending("anna").lastPosition()).isEqualTo(8);
		assertThat(pending("anna").firstPosition()).isEqualTo(5);
		assertThat(pending("anna").sender()).isEqualTo("sender8");
		assertThat(pending("anna").text()).isEqualTo("text8");
		assertThat(pending("anna").messages()).isEqualTo(2);
		assertThat(task("anna", 8, false).and(task("anna", 5, true)))
			.isEqualTo(task("anna", 5, true).and(task("anna", 8, false)));
	}

	@Test
	void keepsAnOlderMessageThatArrivedWhileATaskWasInProgress() {
		this.tasks.merge(List.of(task("anna", 8, false)));
		PushTask taken = take("c1").getFirst();
		this.tasks.merge(List.of(task("anna", 5, false)));
		this.tasks.done(List.of(taken), "c1", NOW, Duration.ZERO);
		assertThat(pending("anna").messages()).isEqualTo(1);
		assertThat(pending("anna").firstPosition()).isEqualTo(5);
		assertThat(pending("anna").lastPosition()).isEqualTo(8);
	}

	@Test
	void returnsTheTasksThatHaveWaitedLongestFirst() {
		this.tasks.merge(List.of(due("late", 3), due("first", 1), due("second", 2), due("third", 3)));
		List<PushTask> taken = this.tasks.take(2, NOW.plusSeconds(3), "c1", NOW.plusSeconds(60));
		assertThat(taken).extracting(PushTask::username).containsExactly("first", "second");
		assertThat(this.tasks.take(10, NOW.plusSeconds(2), "c2", NOW.plusSeconds(60))).isEmpty();
		assertThat(this.tasks.take(10, NOW.plusSeconds(3), "c2", NOW.plusSeconds(60))).extracting(PushTask::username)
			.containsExactlyInAnyOrder("late", "third");
	}

	@Test
	void deletesACompletedTask() {
		this.tasks.merge(List.of(task("anna", 5, true), task("bert", 5, true)));
		for (PushTask task : take("c1")) {
			if (task.username().equals("anna")) {
				this.tasks.done(List.of(task), "c1", NOW, Duration.ZERO);
			}
		}
		assertThat(this.tasks.pending("anna", "r")).isEmpty();
		assertThat(this.tasks.pending("bert", "r")).isPresent();
	}

	@Test
	void keepsMessagesThatArrivedWhileATaskWasInProgress() {
		this.tasks.merge(List.of(task("anna", 5, false).and(task("anna", 6, false))));
		PushTask taken = take("c1").getFirst();
		this.tasks.merge(List.of(task("anna", 9, false)));
		this.tasks.done(List.of(taken), "c1", NOW, PAUSE);
		assertThat(pending("anna")).isEqualTo(new PushTask("anna", "r", 7, 9, 1, 0, "sender9", "text9",
				SENT.plusMillis(9), NOW.plus(PAUSE), EXPIRES.plusMillis(9), 0, Set.of(), 0, null));
		assertThat(take("c2")).isEmpty();
	}

	@Test
	void isDueAtOnceForAMentionThatArrivedWhileATaskWasInProgress() {
		this.tasks.merge(List.of(task("anna", 5, true), task("bert", 5, true)));
		List<PushTask> taken = take("c1");
		this.tasks.merge(List.of(task("anna", 6, true), task("bert", 6, false)));
		this.tasks.done(taken, "c1", NOW, PAUSE);
		assertThat(pending("anna").dueAt()).isEqualTo(NOW);
		assertThat(pending("bert").dueAt()).isEqualTo(NOW.plus(PAUSE));
	}

	@Test
	void isDueAtOnceForAMentionUnlessTriedOrInProgress() {
		this.tasks.merge(List.of(due("anna", 60), due("bert", 60), due("carl", 0), due("dora", 0)));
		List<PushTask> taken = take("c1");
		this.tasks.retry(List.of(new Retry(named(taken, "carl"), Set.of("d"), NOW.plusSeconds(50))), "c1");
		this.tasks.merge(
				List.of(task("anna", 6, true), task("bert", 6, false), task("carl", 6, true), task("dora", 6, true)));
		assertThat(pending("anna").dueAt()).as("waited").isEqualTo(NOW);
		assertThat(pending("bert").dueAt()).as("not mentioned").isEqualTo(NOW.plusSeconds(60));
		assertThat(pending("carl").dueAt()).as("tried").isEqualTo(NOW.plusSeconds(50));
		assertThat(take("c2")).as("dora's is taken").extracting(PushTask::username).containsExactly("anna");
	}

	@Test
	void clearsADeliveredMentionAndKeepsALaterOne() {
		this.tasks.merge(List.of(task("anna", 5, true), task("bert", 5, true)));
		List<PushTask> taken = take("c1");
		this.tasks.merge(List.of(task("anna", 6, false), task("bert", 6, true)));
		this.tasks.done(taken, "c1", NOW, Duration.ZERO);
		assertThat(pending("anna").mentioned()).isFalse();
		assertThat(pending("bert").mentioned()).isTrue();
	}

	@Test
	void countsMessagesPerDeviceAcrossRetries() {
		this.tasks.merge(List.of(task("anna", 5, false).and(task("anna", 6, false))));
		PushTask taken = take("c1").getFirst();
		assertThat(taken.messagesFor("d1")).isEqualTo(2);
		this.tasks.merge(List.of(task("anna", 7, false)));
		this.tasks.retry(List.of(new Retry(taken, Set.of("d1", "d2"), NOW)), "c1");
		PushTask again = take("c2").getFirst();
		assertThat(again.attempts()).isEqualTo(1);
		assertThat(List.of("d1", "d2", "d3")).extracting(again::messagesFor).containsExactly(3, 3, 1);
		assertThat(again.firstPosition()).isEqualTo(5);
		this.tasks.retry(List.of(new Retry(again, Set.of("d2"), NOW)), "c2");
		PushTask third = take("c3").getFirst();
		assertThat(third.attempts()).isEqualTo(2);
		assertThat(List.of("d1", "d2", "d3")).extracting(third::messagesFor).containsExactly(0, 3, 0);
		this.tasks.merge(List.of(task("anna", 8, false)));
		this.tasks.done(List.of(third), "c3", NOW, Duration.ZERO);
		assertThat(pending("anna")).satisfies((rest) -> {
			assertThat(List.of("d1", "d2", "d3")).extracting(rest::messagesFor).containsExactly(1, 1, 1);
			assertThat(rest.attempts()).isZero();
			assertThat(rest.firstPosition()).isEqualTo(8);
		});
	}

	@Test
	void storesTheMaximumNumberOfRetryDevices() {
		this.tasks.merge(List.of(task("anna", 5, false)));
		Set<String> devices = IntStream.range(0, 50)
			.mapToObj((i) -> Device.id(Device.Kind.TOKEN, "t" + i))
			.collect(java.util.stream.Collectors.toSet());
		this.tasks.retry(List.of(new Retry(take("c1").getFirst(), devices, NOW)), "c1");
		assertThat(pending("anna").retryDevices()).isEqualTo(devices);
	}

	@Test
	void findsTheTasksOfManyUsersAtOnce() {
		List<PushTask> all = IntStream.range(0, 450).mapToObj((i) -> task("user" + i, 1, false)).toList();
		this.tasks.merge(all);
		assertThat(this.tasks.pending(IntStream.range(200, 600).mapToObj((i) -> new PushKey("user" + i, "r")).toList()))
			.containsExactlyInAnyOrderElementsOf(all.subList(200, 450));
		assertThat(this.tasks.pending(List.of(new PushKey("user1", "other")))).isEmpty();
		assertThat(this.tasks.pending(List.of())).isEmpty();
	}

	@Test
	void postponesATask() {
		this.tasks.merge(List.of(task("anna", 5, false)));
		PushTask taken = take("c1").getFirst();
		this.tasks.merge(List.of(task("anna", 6, false)));
		this.tasks.postpone(List.of(new Postponement(taken, NOW.plusSeconds(100), EXPIRES.plusSeconds(100), NOW)),
				"c1");
		assertThat(pending("anna")).isEqualTo(new PushTask("anna", "r", 5, 6, 2, 0, "sender6", "text6",
				SENT.plusMillis(6), NOW.plusSeconds(100), EXPIRES.plusSeconds(100), 0, Set.of(), 0, NOW));
		this.tasks.merge(List.of(task("anna", 7, false)));
		assertThat(pending("anna").expiresAt()).isEqualTo(EXPIRES.plusSeconds(100));
	}

	@Test
	void givesAMessageThatArrivedDuringATaskItsOwnExpiry() {
		this.tasks.merge(List.of(task("anna", 5, false)));
		PushTask taken = take("c1").getFirst();
		this.tasks.merge(List.of(task("anna", 9_000, false)));
		this.tasks.done(List.of(taken), "c1", NOW, Duration.ZERO);
		assertThat(pending("anna").expiresAt()).isEqualTo(task("anna", 9_000, false).expiresAt());
	}

	private static PushTask named(List<PushTask> tasks, String username) {
		return tasks.stream().filter((task) -> task.username().equals(username)).findFirst().orElseThrow();
	}

	private List<PushTask> take(String claim) {
		return this.tasks.take(10, NOW, claim, NOW.plusSeconds(60));
	}

	private PushTask pending(String username) {
		return this.tasks.pending(username, "r").orElseThrow();
	}

	/** Returns a task whose send and expiry times grow with its position. */
	private static PushTask task(String username, long position, boolean mentioned) {
		return PushTask.of(username, "r", position, mentioned, "sender" + position, "text" + position,
				SENT.plusMillis(position), NOW, EXPIRES.plusMillis(position));
	}

	private static PushTask due(String username, int seconds) {
		return PushTask.of(username, "r", 1, false, "s", "t", SENT, NOW.plusSeconds(seconds), EXPIRES);
	}

}
