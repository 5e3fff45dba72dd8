package io.parley.store.report;

import io.parley.store.OnMySql;

@OnMySql
class MessageReportsOnMySqlIntegrationTests extends MessageReportsTests {

	MessageReportsOnMySqlIntegrationTests(MessageReports reports) {
		super(reports);
	}

}
