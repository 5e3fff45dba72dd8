package io.parley.store.event;

import java.util.List;

import io.parley.store.OnMySql;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

@OnMySql
class RoomEventsOnMySqlIntegrationTests extends RoomEventRepositoryTests {

	private final JdbcTemplate jdbc;

	RoomEventsOnMySqlIntegrationTests(RoomEventRepository events, JdbcTemplate jdbc) {
		super(events, jdbc);
		this.jdbc = jdbc;
	}

	@Test
	@Override
	void readsBackwardsFromTheIndexWithoutSorting() {
		String plan = this.jdbc.queryForObject("EXPLAIN FORMAT=TREE " + RoomEventRepository.NUMBER_AT, String.class,
				"b", 35L);
		assertThat(plan).contains("using PRIMARY", "(reverse)").doesNotContain("Sort", "Table scan");
	}

	@Test
	@Override
	void readsPagesFromTheIndexWithoutSorting() {
		for (String query : List.of(RoomEventRepository.AFTER, RoomEventRepository.BEFORE)) {
			assertThat(plan(query, "b", 35L, 10)).contains("using PRIMARY").doesNotContain("Sort", "Table scan");
		}
		assertThat(plan(RoomEventRepository.NEWEST, "b", 10)).contains("using PRIMARY")
			.doesNotContain("Sort", "Table scan");
	}

	private String plan(String query, Object... arguments) {
		return String.valueOf(this.jdbc.queryForObject("EXPLAIN FORMAT=TREE " + query, String.class, arguments));
	}

}
