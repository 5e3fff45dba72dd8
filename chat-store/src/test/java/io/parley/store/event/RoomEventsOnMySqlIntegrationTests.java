package io.parley.store.event;

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

}
