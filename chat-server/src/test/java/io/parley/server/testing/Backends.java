package io.parley.server.testing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * What the servers under test run on, as {@code -Dparley.test.backend} names it:
 * {@code simple}, {@code bus}, {@code bus/<log>} or {@code relay/<kind>/<connections>}.
 * Each is started once and ends with the JVM.
 */
public final class Backends {

	private static final String[] CHOSEN = System.getProperty("parley.test.backend", "simple").split("/");

	private static @Nullable StompBroker broker;

	private static @Nullable SharedLog log;

	private Backends() {
	}

	/** Settings of a server that has all for itself. */
	static List<String> settings() {
		List<String> settings = new ArrayList<>(mode());
		if (CHOSEN[0].equals("bus") && CHOSEN.length > 1) {
			settings.addAll(log(CHOSEN[1]).settings());
		}
		return settings;
	}

	/** Whether it comes in a container. */
	static boolean needsDocker() {
		return Arrays.asList(CHOSEN).contains("rabbitmq");
	}

	/** Whether several servers can run on that backend. */
	public static boolean takesSeveralServers() {
		return CHOSEN.length > 1;
	}

	/** Whether a broker fans out. */
	public static boolean isRelay() {
		return CHOSEN[0].equals("relay");
	}

	/**
	 * Settings of several servers that share a log: that of the backend, or Kafka for
	 * those that have none.
	 */
	static List<String> sharedSettings() {
		List<String> settings = new ArrayList<>(mode());
		settings.addAll(log(CHOSEN[0].equals("bus") ? CHOSEN[1] : "kafka").settings());
		return settings;
	}

	private static List<String> mode() {
		return switch (CHOSEN[0]) {
			case "simple", "bus" -> List.of("chat.broker.mode=" + CHOSEN[0]);
			case "relay" -> relay(CHOSEN[1], CHOSEN[2]);
			default ->
				throw new IllegalArgumentException("There is no backend '" + String.join("/", CHOSEN) + "' for tests");
		};
	}

	private static synchronized List<String> relay(String kind, String connections) {
		StompBroker started = broker;
		if (started == null) {
			started = StompBroker.start(kind);
			broker = started;
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		}
		List<String> settings = new ArrayList<>(started.settings());
		settings.add("chat.broker.relay.connections=" + connections);
		return settings;
	}

	private static synchronized SharedLog log(String kind) {
		SharedLog started = log;
		if (started == null) {
			started = SharedLog.start(kind);
			log = started;
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
		}
		return started;
	}

}
