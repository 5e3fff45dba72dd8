package io.parley.store.presence;

import io.parley.store.OnMySql;

@OnMySql
class NodePresenceOnMySqlIntegrationTests extends NodePresenceTests {

	NodePresenceOnMySqlIntegrationTests(NodePresence presence) {
		super(presence);
	}

}
