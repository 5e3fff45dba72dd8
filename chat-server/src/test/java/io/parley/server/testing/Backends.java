package io.parley.server.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The backends of the servers under test, selected by {@code -Dparley.test.backend}:
 * {@code simple}, {@code bus}, {@code bus/<log>} or {@code relay/<kind>/<connections>}.
 * Each backend starts once and ends with the JVM.
 */
public final class Backends {

	private static final String[] CHOSEN = parts(System.getProperty("parley.test.backend", "simple"));

	private static final Map<String, StompBroker> brokers = new HashMap<>();

	private static final Map<String, SharedLog> logs = new HashMap<>();

	private Backends() {
	}

	/** Returns the settings of a server that runs alone. */
	static List<String> settings() {
		List<String> settings = new ArrayList<>(mode(CHOSEN));
		if (CHOSEN[0].equals("bus") && CHOSEN.length > 1) {
			settings.addAll(log(CHOSEN[1]).settings());
		}
		return settings;
	}

	/** Returns whether the backend runs in a container. */
	static boolean needsDocker() {
		return Arrays.asList(CHOSEN).contains("rabbitmq");
	}

	/** Returns whether several servers can share the backend. */
	public static boolean takesSeveralServers() {
		return CHOSEN.length > 1;
	}

	/** Returns whether a broker does the fan-out. */
	public static boolean isRelay() {
		return CHOSEN[0].equals("relay");
	}

	/**
	 * Returns the settings of several servers that share a log: the log of the backend,
	 * or Kafka if the backend has none.
	 */
	static List<String> sharedSettings() {
		return sharedSettings(CHOSEN);
	}

	/**
	 * Returns the settings of several servers that share a log, on this backend instead
	 * of the one under test.
	 */
	static List<String> sharedSettings(String backend) {
		return sharedSettings(parts(backend));
	}

	private static List<String> sharedSettings(String[] backend) {
		List<String> settings = new ArrayList<>(mode(backend));
		settings.addAll(log(backend[0].equals("bus") ? backend[1] : "kafka").settings());
		return settings;
	}

	private static String[] parts(String backend) {
		return backend.split("/");
	}

	private static List<String> mode(String[] backend) {
		return switch (backend[0]) {
			case "simple", "bus" -> List.of("chat.broker.mode=" + backend[0]);
			case "relay" -> relay(backend[1], backend[2]);
			default ->
				throw new IllegalArgumentException("There is no backend '" + String.join("/", backend) + "' for tests");
		};
	}

	private static synchronized List<String> relay(String kind, String connections) {
		StompBroker started = brokers.get(kind);
		if (started == null) {
			started = StompBroker.start(kind);
			brokers.put(kind, started);
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		}
		List<String> settings = new ArrayList<>(started.settings());
		settings.add("chat.broker.relay.connections=" + connections);
		return settings;
	}

	private static synchronized SharedLog log(String kind) {
		SharedLog started = logs.get(kind);
		if (started == null) {
			started = SharedLog.start(kind);
			logs.put(kind, started);
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		}
		return started;
	}

}
