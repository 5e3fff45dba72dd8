package io.parley.store.thread;

import java.util.stream.IntStream;

import io.parley.store.OnMySql;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@OnMySql
class ThreadsOnMySqlIntegrationTests extends ThreadRepositoryTests {

	private final JdbcTemplate jdbc;

	ThreadsOnMySqlIntegrationTests(ThreadRepository threads, ThreadMembers members, JdbcTemplate jdbc) {
		super(threads, members, jdbc);
		this.jdbc = jdbc;
	}

	@Test
	void countsDeletedRepliesWithoutTheOtherChangedMessagesOfTheRoom() {
		this.jdbc.batchUpdate(
				"INSERT INTO message_state (room_id, target, changed, edits, deleted, edited) VALUES ('threads', ?, ?, 0, ?, ?)",
				IntStream.range(1_000, 3_000).mapToObj((i) -> new Object[] { i, i + 9_000, true, i + 9_000 }).toList());
		this.jdbc.queryForList("ANALYZE TABLE message_state, thread_reply");
		String plan = this.jdbc.queryForObject("EXPLAIN FORMAT=TREE " + ThreadRepository.DELETED_AFTER, String.class, 0,
				"threads", 10, 10, 99);
		assertThat(plan).contains("range scan on r using PRIMARY", "Single-row index lookup on s using PRIMARY");
	}

}
