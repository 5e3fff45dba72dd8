package io.parley.server.broker;

import java.util.Map;

/** What a broker wants to be told beyond the STOMP standard, so that a topic is one. */
interface BrokerDialect {

	/** Headers of SUBSCRIBE. */
	Map<String, String> subscribe();

	/** Headers of SEND. */
	Map<String, String> send();

	/** Whether SEND may ask for a receipt. */
	default boolean receiptsOfSend() {
		return true;
	}

	static BrokerDialect of(BrokerProperties.Kind kind) {
		return switch (kind) {
			case RABBITMQ -> new RabbitMqDialect();
			case ARTEMIS -> new ArtemisDialect();
			case ACTIVEMQ -> new ActiveMqDialect();
		};
	}

}
