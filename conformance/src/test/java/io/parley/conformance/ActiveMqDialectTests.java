package io.parley.conformance;

import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** The dialect of ActiveMQ, with one connection per server. */
@Tag("slow")
class ActiveMqDialectTests extends DialectTests {

	private static TwoServers servers;

	ActiveMqDialectTests() {
		super(servers);
	}

	@BeforeAll
	static void start() {
		servers = TwoServers.on("relay/activemq/per-node");
	}

	@AfterAll
	static void stop() {
		servers.close();
	}

}
