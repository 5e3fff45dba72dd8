package io.parley.store.push;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@OnMySql
class PushTasksOnMySqlIntegrationTests extends PushTaskRepositoryTests {

	PushTasksOnMySqlIntegrationTests(PushTaskRepository tasks, TransactionTemplate transaction, JdbcTemplate jdbc) {
		super(tasks, transaction, jdbc);
	}

}
