package io.parley.loadtest.local;

import java.nio.file.Path;

/** Where the files of this checkout are. */
public final class Checkout {

	private Checkout() {
	}

	/** Its root, which {@code ./chat} names; else the working directory. */
	public static Path home() {
		return Path.of(System.getProperty("parley.home", "")).toAbsolutePath();
	}

	/** The packaged chat-server. */
	public static Path chatServer() {
		return home().resolve("chat-server/target/chat-server.jar");
	}

	static Path baseline() {
		return home().resolve("loadtest/baseline/target/baseline.jar");
	}

	static Path brokers() {
		return home().resolve("loadtest/brokers/target/brokers.jar");
	}

}
