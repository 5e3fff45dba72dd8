package io.parley.server.protocol;

import java.util.List;

import io.parley.server.broker.StompBroker;
import org.jspecify.annotations.Nullable;

/**
 * What the servers under test run on, as {@code -Dparley.test.backend} names it:
 * {@code simple}, {@code bus} or {@code relay/<kind>/<connections>}. Each is started once
 * and ends with the JVM.
 */
final class Backends {

	private static final String CHOSEN = System.getProperty("parley.test.backend", "simple");

	private static @Nullable StompBroker broker;

	private Backends() {
	}

	/** Settings of a server on that backend. */
	static synchronized List<String> settings() {
		String[] parts = CHOSEN.split("/");
		return switch (parts[0]) {
			case "simple", "bus" -> List.of("chat.broker.mode=" + parts[0]);
			case "relay" -> relay(parts[1], parts[2]);
			default -> throw new IllegalArgumentException("There is no backend '" + CHOSEN + "' for tests");
		};
	}

	private static List<String> relay(String kind, String connections) {
		StompBroker started = broker;
		if (started == null) {
			started = StompBroker.start(kind);
			broker = started;
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		}
		return java.util.stream.Stream
			.concat(started.settings().stream(),
					java.util.stream.Stream.of("chat.broker.relay.connections=" + connections))
			.toList();
	}

}
