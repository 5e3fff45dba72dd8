package io.parley.server.docs;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the check that {@code ./chat up} makes before it starts anything. */
class PublicDemoTests {

	private static final String CHECK = "die() { echo \"$*\"; exit 1; }; . scripts/compose.sh; refuse_public_demo; echo fine";

	@Test
	void startsWithTheDefaults() throws Exception {
		assertThat(check("true")).isEqualTo("fine");
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0, demo", "192.0.2.1, demo", "'', demo", "0.0.0.0, 'push,demo'", "127.example.org, demo" })
	void refusesTheDemoUsersWhereOtherMachinesReachThem(String address, String profiles) throws Exception {
		assertThat(check("CHAT_ADDRESS='" + address + "' CHAT_PROFILES=" + profiles))
			.contains("CHAT_ADDRESS=" + address + " lets other machines in", "keep CHAT_ADDRESS=127.0.0.1");
	}

	@ParameterizedTest
	@CsvSource({ "0.0.0.0, '', false", "0.0.0.0, demo, true", "127.0.0.5, demo, false", "[::1], demo, false" })
	void startsWithoutDemoUsersOrLocallyOrWhenAllowed(String address, String profiles, String open) throws Exception {
		assertThat(
				check("CHAT_ADDRESS=" + address + " CHAT_PROFILES='" + profiles + "' CHAT_DEMO_PUBLIC='" + open + "'"))
			.isEqualTo("fine");
	}

	private static String check(String settings) throws IOException {
		Process process = new ProcessBuilder("bash", "-c", settings + "; " + CHECK).directory(Document.ROOT.toFile())
			.redirectErrorStream(true)
			.start();
		try (var output = process.getInputStream()) {
			return new String(output.readAllBytes(), StandardCharsets.UTF_8).strip();
		}
	}

}
