package io.parley.loadtest.connect;

import io.parley.loadtest.Console;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Sessions that are opened and closed over real sockets, against a correct or a faulty
 * server.
 */
class ConnectCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenEachSessionComesToItsEnd() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(connect(server, "--hold", "0s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("PASSED: connect, 200.0 sessions/s for 0 s")
				.contains("50 of 50")
				.containsPattern("whole session .* 50\\R");
		}
	}

	@Test
	void keepsEachSessionForTheHold() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(connect(server, "--hold", "1s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).as("half of them took a second or more")
				.containsPattern("whole session +\\d{4,}\\.\\d\\d ");
		}
	}

	@ParameterizedTest
	@CsvSource({ "REFUSE, '50 × STOMP ERROR: bad token'",
			"CLOSE_EARLY, '50 × closed by the server with 1011 while subscribing'",
			"KEEP_GOODBYE, '50 × no receipt for DISCONNECT'",
			"TURN_AWAY, '10 × not connected: turned away with 503, Retry-After 1 s'" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		try (StompResponder server = new StompResponder(fault)) {
			assertThat(connect(server, "--drain", "1s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: connect").contains(named);
		}
	}

	private int connect(StompResponder server, String... more) {
		return this.console.run(server.url(), "connect", "--connect-rate", "200", "--duration", "0.25s", "--rooms", "2",
				more[0], more[1]);
	}

}
