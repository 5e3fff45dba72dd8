package io.parley.store.report;

import io.parley.store.OnMySql;

@OnMySql
class MessageReportRepositoryOnMySqlIntegrationTests extends MessageReportRepositoryTests {

	MessageReportRepositoryOnMySqlIntegrationTests(MessageReportRepository reports) {
		super(reports);
	}

}
