package io.parley.store.log;

import io.parley.store.OnMySql;

import org.springframework.transaction.PlatformTransactionManager;

@OnMySql
class ReaderOffsetsOnMySqlIntegrationTests extends ReaderOffsetsTests {

	ReaderOffsetsOnMySqlIntegrationTests(ReaderOffsets offsets, PlatformTransactionManager transactionManager) {
		super(offsets, transactionManager);
	}

}
