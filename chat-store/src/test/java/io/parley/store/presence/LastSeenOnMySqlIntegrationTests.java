package io.parley.store.presence;

import io.parley.store.OnMySql;
import io.parley.store.room.BlockRepository;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class LastSeenOnMySqlIntegrationTests extends LastSeenRepositoryTests {

	LastSeenOnMySqlIntegrationTests(LastSeenRepository seen, BlockRepository blocks, JdbcTemplate jdbc) {
		super(seen, blocks, jdbc);
	}

}
