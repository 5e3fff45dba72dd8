package io.parley.store.log;

import io.parley.store.OnMySql;

import org.springframework.jdbc.core.JdbcTemplate;

@OnMySql
class LogEpochsOnMySqlIntegrationTests extends LogEpochsTests {

	LogEpochsOnMySqlIntegrationTests(LogEpochs epochs, ReaderOffsets offsets, JdbcTemplate jdbc) {
		super(epochs, offsets, jdbc);
	}

}
