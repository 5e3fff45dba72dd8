package io.parley.persistence;

import io.parley.store.MySqlServer;
import io.parley.store.OnMySql;
import org.junit.jupiter.api.Tag;

@OnMySql
@Tag("exhaustive")
class ThroughputOnMySqlIntegrationTests extends ThroughputIntegrationTests {

	@Override
	String[] database() {
		return MySqlServer.properties("throughput");
	}

}
