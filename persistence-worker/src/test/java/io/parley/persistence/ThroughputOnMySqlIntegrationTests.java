package io.parley.persistence;

import io.parley.store.MySqlServer;
import io.parley.store.OnMySql;

@OnMySql
class ThroughputOnMySqlIntegrationTests extends ThroughputIntegrationTests {

	@Override
	String[] database() {
		return MySqlServer.properties("throughput");
	}

}
