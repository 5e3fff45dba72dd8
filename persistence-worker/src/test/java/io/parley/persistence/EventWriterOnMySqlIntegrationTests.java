package io.parley.persistence;

import io.parley.store.OnMySql;
import io.parley.store.event.RoomEvents;

@OnMySql
class EventWriterOnMySqlIntegrationTests extends EventWriterTests {

	EventWriterOnMySqlIntegrationTests(PersistenceFixture fixture, RoomEvents events) {
		super(fixture, events);
	}

}
