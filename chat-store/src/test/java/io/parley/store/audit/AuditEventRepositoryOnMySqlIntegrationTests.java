package io.parley.store.audit;

import io.parley.store.OnMySql;

@OnMySql
class AuditEventRepositoryOnMySqlIntegrationTests extends AuditEventRepositoryTests {

	AuditEventRepositoryOnMySqlIntegrationTests(AuditEventRepository events) {
		super(events);
	}

}
