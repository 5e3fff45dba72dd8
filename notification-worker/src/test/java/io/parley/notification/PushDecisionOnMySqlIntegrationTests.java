package io.parley.notification;

import io.parley.store.OnMySql;
import io.parley.store.push.PushSettings;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarkers;

@OnMySql
class PushDecisionOnMySqlIntegrationTests extends PushDecisionTests {

	PushDecisionOnMySqlIntegrationTests(PushFixture push, PushDispatcher dispatcher, PushSettings settings,
			ReadMarkers read, Memberships memberships) {
		super(push, dispatcher, settings, read, memberships);
	}

}
