package io.parley.persistence;

import javax.sql.DataSource;

import io.parley.store.OnMySql;

@OnMySql
class PersistenceWorkerOnMySqlIntegrationTests extends PersistenceWorkerTests {

	PersistenceWorkerOnMySqlIntegrationTests(PersistenceFixture fixture, DataSource dataSource) {
		super(fixture, dataSource);
	}

}
