package io.parley.notification;

import io.parley.store.OnMySql;

import org.springframework.transaction.PlatformTransactionManager;

@OnMySql
class PushRetryOnMySqlIntegrationTests extends PushRetryTests {

	PushRetryOnMySqlIntegrationTests(PushFixture push, PushDispatcher dispatcher, TaskDecider decider,
			PushDelivery delivery, PushTraces traces, PushProperties properties,
			PlatformTransactionManager transactions) {
		super(push, dispatcher, decider, delivery, traces, properties, transactions);
	}

}
