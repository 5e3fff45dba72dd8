package io.parley.server.stomp;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Who fans out to the subscribers.
 *
 * @param mode {@code simple}: Spring's broker in memory; {@code bus}: this server's own
 * hub, made for many sessions and servers
 */
@ConfigurationProperties("chat.broker")
record BrokerProperties(@DefaultValue("simple") Mode mode) {

	BrokerProperties {
		if (mode == Mode.RELAY) {
			throw new IllegalArgumentException(
					"chat.broker.mode=relay is not in this version yet; use bus for several servers");
		}
	}

	enum Mode {

		SIMPLE, RELAY, BUS

	}

}
