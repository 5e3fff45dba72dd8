package io.parley.notification;

import io.parley.store.OnMySql;
import io.parley.store.push.PushSettingRepository;
import io.parley.store.room.Memberships;
import io.parley.store.room.ReadMarkerRepository;

@OnMySql
class PushDecisionOnMySqlIntegrationTests extends PushDecisionTests {

	PushDecisionOnMySqlIntegrationTests(PushFixture push, PushDispatcher dispatcher, PushSettingRepository settings,
			ReadMarkerRepository read, Memberships memberships) {
		super(push, dispatcher, settings, read, memberships);
	}

}
