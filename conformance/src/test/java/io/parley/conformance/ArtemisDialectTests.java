package io.parley.conformance;

import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The dialect of Artemis, with one connection per session. */
@Tag("slow")
class ArtemisDialectTests extends DialectTests {

	private static TwoServers servers;

	ArtemisDialectTests() {
		super(servers);
	}

	@BeforeAll
	static void start() {
		servers = TwoServers.on("relay/artemis/per-session");
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

}
