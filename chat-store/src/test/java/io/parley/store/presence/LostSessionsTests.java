package io.parley.store.presence;

import java.time.Instant;
import java.util.List;

import io.parley.store.StoreTest;
import io.parley.store.Threads;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@StoreTest
class LostSessionsTests {

	private static final Instant HEARD = Instant.parse("2026-01-01T00:00:00.123Z");

	private static final Instant LOST = HEARD.plusSeconds(30);

	private static final Instant LATER = LOST.plusMillis(1);

	private static final LostSession FIRST = lost("s1", "r1");

	private static final LostSession SECOND = lost("s1", "r2");

	private static final LostSession THIRD = lost("s2", "r1");

	private final LostSessions sessions;

	private final TransactionTemplate transaction;

	private final JdbcTemplate jdbc;

	LostSessionsTests(LostSessions sessions, TransactionTemplate transaction, JdbcTemplate jdbc) {
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
	void givesEachOnce() {
		List<LostSession> taken = take(2);
		assertThat(taken).hasSize(2);
		assertThat(take(2)).hasSize(1).doesNotContainAnyElementsOf(taken);
		assertThat(take(2)).isEmpty();
	}

	@Test
	void givesWhatOthersAreNotLookingAfter() {
		this.transaction.executeWithoutResult((status) -> {
			List<LostSession> mine = this.sessions.take(1, LATER);
			List<LostSession> theirs = Threads.elsewhere(() -> take(10));
			assertThat(mine).hasSize(1);
			assertThat(theirs).hasSize(2).doesNotContainAnyElementsOf(mine);
		});
		assertThat(take(10)).isEmpty();
	}

	@Test
	void keepsThoseThatNobodyCouldLookAfter() {
		this.transaction.executeWithoutResult((status) -> {
			assertThat(this.sessions.take(10, LATER)).hasSize(3);
			status.setRollbackOnly();
		});
		assertThat(take(10)).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	@Test
	void givesThoseThatWereLostLongEnoughAgo() {
		assertThat(this.sessions.take(10, LOST)).isEmpty();
		assertThat(take(10)).hasSize(3);
	}

	@Test
	void knowsASessionOnceForEachRoom() {
		this.sessions.add(List.of(FIRST, FIRST));
		assertThat(take(10)).containsExactlyInAnyOrder(FIRST, SECOND, THIRD);
	}

	private List<LostSession> take(int limit) {
		return this.transaction.execute((status) -> this.sessions.take(limit, LATER));
	}

	private static LostSession lost(String id, String room) {
		return new LostSession(id, room, "anna", HEARD, LOST);
	}

}
