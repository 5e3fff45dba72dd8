package io.parley.store.room;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class ReadMarkersOnMySqlIntegrationTests extends ReadMarkerRepositoryTests {

	ReadMarkersOnMySqlIntegrationTests(ReadMarkerRepository markers, JdbcTemplate jdbc) {
		super(markers, jdbc);
	}

}
