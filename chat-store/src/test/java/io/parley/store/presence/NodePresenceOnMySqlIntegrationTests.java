package io.parley.store.presence;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class NodePresenceOnMySqlIntegrationTests extends NodePresenceTests {

	NodePresenceOnMySqlIntegrationTests(NodePresence presence, RoomPresence followers, JdbcTemplate jdbc) {
		super(presence, followers, jdbc);
	}

}
