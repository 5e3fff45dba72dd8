package io.parley.store.presence;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@OnMySql
class RoomPresenceOnMySqlIntegrationTests extends RoomPresenceTests {

	RoomPresenceOnMySqlIntegrationTests(RoomPresence followers, NodePresence nodes, TransactionTemplate transaction,
			JdbcTemplate jdbc) {
		super(followers, nodes, transaction, jdbc);
	}

}
