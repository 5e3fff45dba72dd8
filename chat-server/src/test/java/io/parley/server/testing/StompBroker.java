package io.parley.server.testing;

import java.util.List;

/** A real broker that a test starts, and stops with the JVM at the latest. */
public interface StompBroker extends AutoCloseable {

	/** Starts one of a kind, as {@code chat.broker.relay.kind} names it. */
	static StompBroker start(String kind) {
		return start(kind, 0);
	}

	/** The same on a port that is free, or on any for 0. */
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

	/** Settings of a chat-server that relays to it. */
	default List<String> settings() {
		return List.of("chat.broker.mode=relay", "chat.broker.relay.kind=" + kind(), "chat.broker.relay.host=127.0.0.1",
				"chat.broker.relay.port=" + port());
	}

	@Override
	void close();

}
