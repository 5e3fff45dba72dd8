package io.parley.system;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs the load kit with many idle sessions on a small heap. The load kit fails if a
 * session, a heart-beat or a message is lost.
 */
@Tag("exhaustive")
class CapacityIntegrationTests {

	private static final Path LOAD_TEST = Path.of("../loadtest/generator/target/loadtest-generator-exec.jar")
		.toAbsolutePath()
		.normalize();

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	private static final String SESSIONS = FULL_SIZE ? "500" : "150";

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess().withJvmOptions("-Xmx512m", "-XX:+UseCompactObjectHeaders",
			"--enable-native-access=ALL-UNNAMED");

	@Test
	void holdsIdleSessions() throws Exception {
		Assumptions.assumeTrue(Files.exists(LOAD_TEST),
				"The load kit is not packaged; run 'mvn -pl loadtest/generator package' first");
		this.server.start();
		String report = ChildCommand.run(this.server.directory(), System.getProperty("java.home") + "/bin/java",
				"-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", LOAD_TEST.toString(), "idle",
				"--url", this.server.url().toString(), "--sessions", SESSIONS, "--connect-rate", "100", "--hold",
				FULL_SIZE ? "10s" : "5s", "--rate", "10", "--server-pid", String.valueOf(this.server.process().pid()));
		System.out.println(report);
		assertThat(report).contains("PASSED", SESSIONS + " of " + SESSIONS);
	}

}
