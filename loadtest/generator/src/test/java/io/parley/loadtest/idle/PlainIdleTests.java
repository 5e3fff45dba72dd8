package io.parley.loadtest.idle;

import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.Console;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.PlainResponder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole runs against a server without receipts.
 */
@Tag("slow")
class PlainIdleTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenEveryMessageArrivesOnce() {
		try (PlainResponder server = new PlainResponder(Fault.NONE)) {
			assertThat(idle(server, "--drain", "30s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("PASSED: idle --plain, 40 sessions in 2 rooms")
				.contains("40 of 40")
				.contains("50 sent, 1,000 delivered")
				.contains("0 lost, 0 duplicate (order cannot be checked)");
			assertThat(server.connects).hasSize(40)
				.allSatisfy((connect) -> assertThat(connect).doesNotContain("Authorization", "login", "passcode"));
		}
	}

	@ParameterizedTest
	@CsvSource({ "LOSE, '2 lost, 0 duplicate'", "DOUBLE, '0 lost, 2 duplicate'",
			"CLOSE, '2 × closed by the server with 1011 while live'", "REFUSE, '40 × STOMP ERROR: go away'" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		try (PlainResponder server = new PlainResponder(fault)) {
			assertThat(idle(server, "--drain", "2s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED").contains(named);
		}
	}

	@Test
	void connectsWithTheLoginThatIsGiven() {
		try (PlainResponder server = new PlainResponder(Fault.NONE)) {
			assertThat(idle(server, "--login", "me", "--passcode", "secret")).as(this.console.output()).isZero();
			assertThat(server.connects)
				.allSatisfy((connect) -> assertThat(connect).contains("\nlogin:me\n", "\npasscode:secret\n"));
		}
	}

	@Test
	void namesTheVirtualHostAndTheDestinationThatABrokerWants() {
		try (PlainResponder server = new PlainResponder(Fault.NONE)) {
			assertThat(idle(server, "--virtual-host", "/", "--send-to", "/topic/rooms.{room}"))
				.as(this.console.output())
				.isZero();
			assertThat(server.connects).allSatisfy((connect) -> assertThat(connect).contains("\nhost:/\n"));
			assertThat(server.destinations)
				.allSatisfy((destination) -> assertThat(destination).matches("/topic/rooms\\.lt-[0-9a-f]+-[01]"));
		}
	}

	private int idle(PlainResponder server, String... more) {
		List<String> fixed = List.of("idle", "--plain", "--sessions", "40", "--rooms", "2", "--connect-rate", "400",
				"--hold", "0.5s", "--rate", "100");
		return this.console.run(server.url(), Stream.concat(fixed.stream(), Stream.of(more)).toArray(String[]::new));
	}

}
