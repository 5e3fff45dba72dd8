package io.parley.store.room;

import io.parley.store.OnMySql;

@OnMySql
class ReadMarkersOnMySqlIntegrationTests extends ReadMarkerRepositoryTests {

	ReadMarkersOnMySqlIntegrationTests(ReadMarkerRepository markers) {
		super(markers);
	}

}
