package io.parley.server.stomp;

import io.parley.server.broker.BrokerProperties;
import io.parley.server.broker.BrokerTcp;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.messaging.simp.config.StompBrokerRelayRegistration;
import org.springframework.stereotype.Component;

/** Registers the Spring broker that the broker mode requires, if any. */
@Component
class BrokerRegistration {

	private static final String TOPICS = "/topic";

	/**
	 * More than the number of rooms that are live at once. A cache miss scans all
	 * subscriptions.
	 */
	private static final int DESTINATION_CACHE = 65_536;

	private final BrokerProperties properties;

	private final ObjectProvider<BrokerTcp> tcp;

	BrokerRegistration(BrokerProperties properties, ObjectProvider<BrokerTcp> tcp) {
		this.properties = properties;
		this.tcp = tcp;
	}

	void register(MessageBrokerRegistry registry) {
		if (this.properties.mode() == BrokerProperties.Mode.SIMPLE) {
			registry.setCacheLimit(DESTINATION_CACHE).enableSimpleBroker(TOPICS);
		}
		if (this.properties.mode() == BrokerProperties.Mode.RELAY
				&& this.properties.relay().connections() == BrokerProperties.Connections.PER_SESSION) {
			register(registry.enableStompBrokerRelay(TOPICS), this.properties.relay());
		}
	}

	private void register(StompBrokerRelayRegistration relay, BrokerProperties.Relay settings) {
		relay.setVirtualHost(settings.virtualHost())
			.setSystemLogin(settings.username())
			.setSystemPasscode(settings.password())
			.setClientLogin(settings.username())
			.setClientPasscode(settings.password())
			.setTcpClient(this.tcp.getObject().client());
	}

}
