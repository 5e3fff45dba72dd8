package io.parley.store.presence;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

@OnMySql
class LostSessionsOnMySqlIntegrationTests extends LostSessionRepositoryTests {

	LostSessionsOnMySqlIntegrationTests(LostSessionRepository sessions, TransactionTemplate transaction,
			JdbcTemplate jdbc) {
		super(sessions, transaction, jdbc);
	}

}
