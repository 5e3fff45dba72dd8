package io.parley.store.push;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@OnMySql
class PushLogOnMySqlIntegrationTests extends PushLogRepositoryTests {

	PushLogOnMySqlIntegrationTests(PushLogRepository log, TransactionTemplate transaction, JdbcTemplate jdbc) {
		super(log, transaction, jdbc);
	}

}
