package io.parley.server.broker;

import java.util.Map;

/**
 * ActiveMQ Artemis: a header declares a destination to be a topic, independent of the
 * prefixes of the acceptor.
 */
final class ArtemisDialect implements BrokerDialect {

	private static final String MULTICAST = "MULTICAST";

	@Override
	public Map<String, String> subscribe() {
		return Map.of("subscription-type", MULTICAST);
	}

	@Override
	public Map<String, String> send() {
		return Map.of("destination-type", MULTICAST);
	}

}
