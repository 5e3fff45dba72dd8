package io.parley.conformance;

import io.parley.server.testing.Backends;
import io.parley.server.testing.TwoServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Two servers on the backend under test that all classes of a JVM use, so tests need
 * rooms of their own. Skips the tests if the backend is for one server.
 */
final class SharedTwoServers implements BeforeAllCallback {

	private static @Nullable TwoServers servers;

	@Override
	public void beforeAll(ExtensionContext context) {
		assumeTrue(Backends.takesSeveralServers(), "This backend is for one server");
		start();
	}

	/** Each backend has its own JVM. The servers run until it ends. */
	private static synchronized void start() {
		if (servers == null) {
			TwoServers started = new TwoServers();
			Runtime.getRuntime().addShutdownHook(new Thread(started::close));
			servers = started;
		}
	}

	TwoServers get() {
		TwoServers started = servers;
		if (started == null) {
			throw new IllegalStateException("There are no servers");
		}
		return started;
	}

}
