package io.parley.loadtest.local;

import java.nio.file.Path;

/**
 * Locations of files in this checkout.
 */
public final class Checkout {

	private Checkout() {
	}

	/**
	 * Returns the root of the checkout, as passed by {@code ./chat}; otherwise the
	 * working directory.
	 */
	public static Path home() {
		return Path.of(System.getProperty("parley.home", "")).toAbsolutePath();
	}

	public static Path chatServer() {
		return home().resolve("chat-server/target/chat-server.jar");
	}

	/**
	 * Returns the folder in which {@code ./chat run} prepares quick starts: the unpacked
	 * server in {@code app}, and a cache of what the JVM learned in {@code app.aot}.
	 */
	public static Path quickStart() {
		return home().resolve("chat-server/target/quick-start");
	}

	public static Path baseline() {
		return home().resolve("loadtest/baseline/target/baseline.jar");
	}

	public static Path brokers() {
		return home().resolve("loadtest/brokers/target/brokers.jar");
	}

}
