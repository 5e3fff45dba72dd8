package io.parley.server.testing;

import java.util.List;

/** A real broker for tests. It stops at the latest when the JVM ends. */
public interface StompBroker extends AutoCloseable {

	/** Starts a broker of a kind, named as in {@code chat.broker.relay.kind}. */
	static StompBroker start(String kind) {
		return start(kind, 0);
	}

	/** Starts a broker on this port; 0 selects a free port. */
	static StompBroker start(String kind, int port) {
		return switch (kind) {
			case "activemq" -> new ClassicBroker(port);
			case "artemis" -> new ArtemisBroker(port);
			case "rabbitmq" -> new RabbitStompBroker();
			default -> throw new IllegalArgumentException("There is no broker '" + kind + "' for tests");
		};
	}

	String kind();

	int port();

	/** Returns the settings of a chat server that relays to this broker. */
	default List<String> settings() {
		return List.of("chat.broker.mode=relay", "chat.broker.relay.kind=" + kind(), "chat.broker.relay.host=127.0.0.1",
				"chat.broker.relay.port=" + port());
	}

	@Override
	void close();

}
