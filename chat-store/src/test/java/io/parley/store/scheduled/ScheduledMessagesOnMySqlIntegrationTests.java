package io.parley.store.scheduled;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class ScheduledMessagesOnMySqlIntegrationTests extends ScheduledMessagesTests {

	ScheduledMessagesOnMySqlIntegrationTests(ScheduledMessages messages, JdbcTemplate jdbc) {
		super(messages, jdbc);
	}

}
