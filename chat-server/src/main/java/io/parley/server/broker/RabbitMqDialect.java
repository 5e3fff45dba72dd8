package io.parley.server.broker;

import java.util.Map;

/**
 * RabbitMQ's STOMP plugin: {@code /topic/x} is the routing key {@code x} of
 * {@code amq.topic}, and each subscription is a queue. The queue of a stalled consumer
 * drops its oldest frames. Otherwise it would fill the broker's memory and block all
 * publishers. The server detects the missing events.
 *
 * <p>
 * A receipt of SEND turns on publisher confirms for everything that the connection sends
 * from then on. In the plugin of 4.3, a negative confirm crashes the connection. This was
 * seen while subscriptions ended.
 */
final class RabbitMqDialect implements BrokerDialect {

	private static final String MAX_FRAMES = "50000";

	@Override
	public Map<String, String> subscribe() {
		return Map.of("x-max-length", MAX_FRAMES);
	}

	@Override
	public Map<String, String> send() {
		return Map.of();
	}

	@Override
	public boolean supportsSendReceipts() {
		return false;
	}

}
