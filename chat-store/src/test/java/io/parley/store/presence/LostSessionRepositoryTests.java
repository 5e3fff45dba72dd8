package io.parley.store.presence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class LostSessionRepositoryTests {

	private static final Instant HEARD = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final Instant LOST = HEARD.plusSeconds(30);

	private static final Instant LATER = LOST.plusMillis(1);

	private static final LostSession FIRST = lost("s1", "r1");

	private static final LostSession SECOND = lost("s1", "r2");

	private static final LostSession THIRD = lost("s2", "r1");

	private final LostSessionRepository sessions;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	LostSessionRepositoryTests(LostSessionRepository sessions, TransactionTemplate transaction, JdbcTemplate jdbc) {
		this.sessions = sessions;
		this.transaction = transaction;
		this.jdbc = jdbc;
	}

	@BeforeEach
	void clear() {
		this.jdbc.update("DELETE FROM lost_session");
		this.sessions.add(List.of(FIRST, SECOND, THIRD));
	}

	@Test
	void returnsEachSessionOnce() {
		List<LostSession> taken = take(2);
		assertThat(taken).hasSize(2);
		assertThat(take(2)).hasSize(1).doesNotContainAnyElementsOf(taken);
		assertThat(take(2)).isEmpty();
	}

	@Test
	void addsSessionsWhileAnotherNodeDoes() {
		List<LostSession> ours = IntStream.range(0, 150).mapToObj((i) -> lost("ours" + i, "r")).toList();
		List<LostSession> theirs = IntStream.range(0, 150).mapToObj((i) -> lost("theirs" + i, "r")).toList();
		this.sessions.add(ours);
		this.sessions.add(theirs);
		this.transaction.executeWithoutResult((status) -> {
			this.sessions.add(ours);
			Threads.runElsewhere(() -> this.sessions.add(theirs));
		});
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM lost_session", Integer.class)).isEqualTo(303);
	}

	@Test
	void returnsNoSessionToTwoCallers() {
		List<LostSession> given = new ArrayList<>();
		this.transaction.executeWithoutResult((status) -> {
			given.addAll(this.sessions.lock(1, LATER, null));
			assertThat(given).containsExactly(FIRST);
			List<LostSession> others = Threads.elsewhere(() -> take(10));
			assertThat(others).doesNotContainAnyElementsOf(given);
			given.addAll(others);
			this.sessions.remove(List.of(FIRST));
		});
		given.addAll(take(10));
		assertThat(given).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	@Test
	void keepsSessionsWhoseTransactionWasRolledBack() {
		this.transaction.executeWithoutResult((status) -> {
			this.sessions.remove(this.sessions.lock(10, LATER, null));
			status.setRollbackOnly();
		});
		assertThat(take(10)).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	@Test
	void returnsOnlySessionsLostBeforeTheGivenInstant() {
		assertThat(this.sessions.lock(10, LOST, null)).isEmpty();
		assertThat(take(10)).hasSize(3);
	}

	@Test
	void returnsSessionsInPages() {
		assertThat(this.sessions.lock(2, LATER, null)).containsExactly(FIRST, SECOND);
		assertThat(this.sessions.lock(2, LATER, FIRST)).containsExactly(SECOND, THIRD);
		assertThat(this.sessions.lock(2, LATER, THIRD)).isEmpty();
	}

	@Test
	void storesASessionOncePerRoom() {
		this.sessions.add(List.of(FIRST, FIRST));
		assertThat(take(10)).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	private List<LostSession> take(int limit) {
		return this.transaction.execute((status) -> {
			List<LostSession> locked = this.sessions.lock(limit, LATER, null);
			this.sessions.remove(locked);
			return locked;
		});
	}

	private static LostSession lost(String id, String room) {
		return new LostSession(id, room, "anna", HEARD, LOST);
	}

}
