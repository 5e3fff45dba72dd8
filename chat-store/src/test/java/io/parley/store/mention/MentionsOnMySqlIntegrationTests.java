package io.parley.store.mention;

import java.util.List;
import java.util.stream.IntStream;

import io.parley.store.OnMySql;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@OnMySql
class MentionsOnMySqlIntegrationTests extends MentionRepositoryTests {

	private final JdbcTemplate jdbc;

	MentionsOnMySqlIntegrationTests(MentionRepository mentions, JdbcTemplate jdbc) {
		super(mentions, jdbc);
		this.jdbc = jdbc;
	}

	@Test
	void readsOneRangeForEachUserAndRoom() {
		this.jdbc.batchUpdate(
				"INSERT INTO mention (username, room_id, position, thread, sender, mentioned_at) VALUES (?, ?, ?, 0, 'bert', '2026-01-02')",
				IntStream.range(1_000, 5_000)
					.mapToObj((i) -> new Object[] { "user" + i % 20, "room" + i % 7, i })
					.toList());
		this.jdbc.queryForList("ANALYZE TABLE mention");
		assertThat(plan(MentionRepository.COUNT, 0, "user1", "*", "room1", 1_500, 4_000, 0, "user1"))
			.contains("range scan on mention using PRIMARY");
		assertThat(plan(MentionRepository.NEWEST + MentionRepository.NEWEST_ORDER, "user1", "room1", "user1", 50))
			.contains("mention using mention_newest")
			.doesNotContain("Sort");
	}

	private String plan(String sql, Object... arguments) {
		return String.join("\n", this.jdbc.queryForList("EXPLAIN FORMAT=TREE " + sql, String.class, arguments));
	}

	@Test
	void distinguishesNamesByCase() {
		assertThat(List.of("anna", "Anna")).allSatisfy((name) -> assertThat(this.jdbc
			.queryForList("SELECT position FROM mention WHERE username = ? AND room_id = 'b'", Long.class, name)
			.size()).isEqualTo(name.equals("anna") ? 1 : 0));
	}

}
