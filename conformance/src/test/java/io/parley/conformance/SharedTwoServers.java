package io.parley.conformance;

import io.parley.server.testing.Backends;
import io.parley.server.testing.TwoServers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Two servers on the backend under test that all tests of a class use. Skips the tests if
 * the backend is for one server.
 */
final class SharedTwoServers implements BeforeAllCallback, AfterAllCallback {

	private @Nullable TwoServers servers;

	@Override
	public void beforeAll(ExtensionContext context) {
		assumeTrue(Backends.takesSeveralServers(), "This backend is for one server");
		this.servers = new TwoServers();
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (this.servers != null) {
			this.servers.close();
		}
	}

	TwoServers get() {
		if (this.servers == null) {
			throw new IllegalStateException("There are no servers");
		}
		return this.servers;
	}

}
