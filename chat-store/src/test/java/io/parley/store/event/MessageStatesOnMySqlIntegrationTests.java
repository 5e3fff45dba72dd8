package io.parley.store.event;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class MessageStatesOnMySqlIntegrationTests extends MessageStateRepositoryTests {

	MessageStatesOnMySqlIntegrationTests(MessageStateRepository states, RoomEventRepository events, JdbcTemplate jdbc) {
		super(states, events, jdbc);
	}

}
