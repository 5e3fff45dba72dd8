package io.parley.server.delivery;

import io.parley.server.broker.BrokerAvailability;
import io.parley.server.broker.SpringBroker;
import io.parley.server.session.DeliveryThreadPool;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures {@code chat.broker.mode=bus}: this server's own hub fans out. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty(name = "chat.broker.mode", havingValue = "bus")
class BusDeliveryConfiguration {

	@Bean
	SpringBroker springBroker() {
		return SpringBroker.none();
	}

	@Bean
	BrokerAvailability brokerAvailability() {
		return new BrokerAvailability(true);
	}

	@Bean
	Hub hub(DeliveryThreadPool threads) {
		return new Hub(threads);
	}

}
