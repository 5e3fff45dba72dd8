package io.parley.store.presence;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class RoomPresenceOnMySqlIntegrationTests extends RoomPresenceTests {

	RoomPresenceOnMySqlIntegrationTests(RoomPresence followers, NodePresence nodes, JdbcTemplate jdbc) {
		super(followers, nodes, jdbc);
	}

}
