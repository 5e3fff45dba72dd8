package io.parley.server.broker;

import java.util.Map;

/**
 * The headers that a broker requires beyond the STOMP standard, so that a destination is
 * a topic.
 */
interface BrokerDialect {

	/** Returns the additional headers of SUBSCRIBE. */
	Map<String, String> subscribe();

	/** Returns the additional headers of SEND. */
	Map<String, String> send();

	/** Returns whether SEND may request a receipt. */
	default boolean supportsSendReceipts() {
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
