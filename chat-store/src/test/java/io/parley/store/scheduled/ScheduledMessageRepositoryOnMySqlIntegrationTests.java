package io.parley.store.scheduled;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@OnMySql
class ScheduledMessageRepositoryOnMySqlIntegrationTests extends ScheduledMessageRepositoryTests {

	ScheduledMessageRepositoryOnMySqlIntegrationTests(ScheduledMessageRepository messages,
			TransactionTemplate transaction, JdbcTemplate jdbc) {
		super(messages, transaction, jdbc);
	}

}
