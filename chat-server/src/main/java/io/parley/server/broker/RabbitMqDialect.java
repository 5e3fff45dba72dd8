package io.parley.server.broker;

import java.util.Map;

/**
 * RabbitMQ's STOMP plugin: {@code /topic/x} is the routing key {@code x} of
 * {@code amq.topic}, and each subscription is a queue. A queue whose reader stands still
 * drops its oldest frames instead of filling the broker's memory, which would block all
 * who publish; the server sees what is missing.
 *
 * <p>
 * A receipt of SEND is a publisher confirm, for all that the connection sends from then
 * on. One that is refused, seen while subscriptions ended, crashes the connection in the
 * plugin of 4.3.
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
	public boolean receiptsOfSend() {
		return false;
	}

}
