package io.parley.server.broker;

import java.util.Map;

/** ActiveMQ Classic: {@code /topic/} says it all, as in the standard's examples. */
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
