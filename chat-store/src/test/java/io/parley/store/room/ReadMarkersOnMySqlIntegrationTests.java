package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class ReadMarkersOnMySqlIntegrationTests extends ReadMarkersTests {

	ReadMarkersOnMySqlIntegrationTests(ReadMarkers markers) {
		super(markers);
	}

}
