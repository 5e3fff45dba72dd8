package io.parley.notification;

import io.parley.store.OnMySql;
import io.parley.store.log.ParkedEvents;

@OnMySql
class PushPlanOnMySqlIntegrationTests extends PushPlanTests {

	PushPlanOnMySqlIntegrationTests(PushFixture push, NotificationWorker worker, PushDispatcher dispatcher,
			ParkedEvents parked) {
		super(push, worker, dispatcher, parked);
	}

}
