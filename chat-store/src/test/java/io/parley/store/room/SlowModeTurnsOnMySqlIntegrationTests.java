package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class SlowModeTurnsOnMySqlIntegrationTests extends SlowModeTurnsTests {

	SlowModeTurnsOnMySqlIntegrationTests(SlowModeTurns turns) {
		super(turns);
	}

}
