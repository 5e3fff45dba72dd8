package io.parley.persistence;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

@OnMySql
class EventTablesOnMySqlIntegrationTests extends EventTablesTests {

	EventTablesOnMySqlIntegrationTests(JdbcTemplate jdbc, PlatformTransactionManager transactions) {
		super(jdbc, transactions);
	}

}
