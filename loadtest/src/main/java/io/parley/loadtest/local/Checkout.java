package io.parley.loadtest.local;

import java.nio.file.Path;

/** The checkout of Parley that this load kit belongs to. */
public final class Checkout {

	private Checkout() {
	}

	/** The packaged chat-server, whether it is there or not. */
	public static Path serverJar() {
		return Path.of(System.getProperty("parley.home", ""), "chat-server", "target", "chat-server.jar");
	}

}
