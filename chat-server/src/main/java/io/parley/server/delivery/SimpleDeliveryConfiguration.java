package io.parley.server.delivery;

import io.parley.log.config.LogProperties;
import io.parley.server.broker.BrokerAvailability;
import io.parley.server.broker.SpringBroker;
import io.parley.server.presence.NodeProperties;
import io.parley.server.session.SessionRegistry;
import io.parley.store.presence.NodePresence;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.messaging.MessageHandler;

/**
 * Configures {@code chat.broker.mode=simple}: Spring's in-memory broker fans out. This
 * mode supports one server only.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "simple", matchIfMissing = true)
class SimpleDeliveryConfiguration {

	@Bean
	SingleServerCheck singleServerCheck(NodePresence presence, NodeProperties node, LogProperties log) {
		return new SingleServerCheck(presence, node.idOrHostName(), log.backend());
	}

	@Bean
	SpringBroker springBroker() {
		return SpringBroker.simple();
	}

	@Bean
	BrokerAvailability brokerAvailability() {
		return new BrokerAvailability(true);
	}

	/**
	 * Creates the delivery.
	 * @param broker resolved when it is first used, because it sends to the channel that
	 * the delivery intercepts
	 */
	@Bean
	SimpleDelivery simpleDelivery(@Lazy @Qualifier("simpleBrokerMessageHandler") MessageHandler broker,
			SessionRegistry sessions) {
		return new SimpleDelivery(broker, sessions);
	}

}
