package io.parley.store.scheduled;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class ScheduledMessageRepositoryOnMySqlIntegrationTests extends ScheduledMessageRepositoryTests {

	ScheduledMessageRepositoryOnMySqlIntegrationTests(ScheduledMessageRepository messages, JdbcTemplate jdbc) {
		super(messages, jdbc);
	}

}
