package io.parley.server.broker;

import java.util.Map;

/**
 * ActiveMQ Classic: the prefix {@code /topic/} is enough, as in the examples of the STOMP
 * standard.
 */
final class ActiveMqDialect implements BrokerDialect {

	@Override
	public Map<String, String> subscribe() {
		return Map.of();
	}

	@Override
	public Map<String, String> send() {
		return Map.of();
	}

}
