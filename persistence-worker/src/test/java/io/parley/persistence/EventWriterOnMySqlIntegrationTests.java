package io.parley.persistence;

import io.parley.store.OnMySql;
import io.parley.store.event.RoomEventRepository;

@OnMySql
class EventWriterOnMySqlIntegrationTests extends EventWriterTests {

	EventWriterOnMySqlIntegrationTests(PersistenceFixture fixture, RoomEventRepository events) {
		super(fixture, events);
	}

}
