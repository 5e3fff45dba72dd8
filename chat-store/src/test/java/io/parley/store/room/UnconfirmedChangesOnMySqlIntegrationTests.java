package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class UnconfirmedChangesOnMySqlIntegrationTests extends UnconfirmedChangesTests {

	UnconfirmedChangesOnMySqlIntegrationTests(UnconfirmedChanges changes) {
		super(changes);
	}

}
