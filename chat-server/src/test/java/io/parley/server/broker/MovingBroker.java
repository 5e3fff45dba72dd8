package io.parley.server.broker;

import io.parley.server.testing.StompBroker;

import org.springframework.test.context.DynamicPropertyRegistry;

/** A broker with two addresses that restarts at the other address. */
final class MovingBroker implements AutoCloseable {

	private static final String KIND = "activemq";

	private final int otherPort;

	private final int port;

	private StompBroker broker;

	MovingBroker() {
		this.broker = StompBroker.start(KIND);
		this.port = this.broker.port();
		try (StompBroker other = StompBroker.start(KIND)) {
			this.otherPort = other.port();
		}
	}

	void settings(DynamicPropertyRegistry registry) {
		registry.add("chat.broker.mode", () -> "relay");
		registry.add("chat.broker.relay.kind", () -> KIND);
		registry.add("chat.broker.relay.host", () -> "127.0.0.1:" + this.port + ",127.0.0.1:" + this.otherPort);
	}

	void stop() {
		this.broker.close();
	}

	void startAtTheOtherAddress() {
		this.broker = StompBroker.start(KIND, this.otherPort);
	}

	@Override
	public void close() {
		this.broker.close();
	}

}
