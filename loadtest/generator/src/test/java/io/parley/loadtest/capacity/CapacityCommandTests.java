package io.parley.loadtest.capacity;

import io.parley.loadtest.Console;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Levels and searches over real sockets, against a correct, a faulty or a full server.
 */
@Tag("slow")
class CapacityCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void takesEachLevelThroughAllStepsAsOftenAsAsked() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(levels(server)).as(this.console.output()).isZero();
			assertThat(this.console.output()).containsPattern("(?m)^ +20 +1 +[\\d.]+ +[\\d.]+ +[\\d.]+ +0.00 ")
				.containsPattern("(?m)^ +20 +2 ")
				.containsPattern("(?m)^ +40 +2 ")
				.contains("PASSED: no error at any level, up to 40 users.");
		}
	}

	// 40 users take 280 steps. A rejected user loses two steps, a user without a receipt
	// five.
	@ParameterizedTest
	@CsvSource({ "REFUSE, 71.43, '40 × read CONNECTED: STOMP ERROR: bad token'",
			"CLOSE_EARLY, 42.86, '40 × read RECEIPT: closed by the server with 1011'" })
	void countsStepsThatFailOrCannotBeTaken(Fault fault, String percent, String named) {
		try (StompResponder server = new StompResponder(fault)) {
			assertThat(levels(server)).isEqualTo(1);
			assertThat(this.console.output()).containsPattern("(?m)^ +40 +1 .* " + percent + " ").contains(named);
		}
	}

	@Test
	void findsWhatAFullServerHoldsAndNamesItsLimit() {
		try (StompResponder server = new StompResponder(Fault.FULL)) {
			assertThat(search(server, "--from", "28", "--most", "60")).as(this.console.output()).isZero();
			// The server has 30 places, and one may still be occupied by a session that
			// has just left.
			assertThat(this.console.output()).containsPattern("PASSED: (1\\d|2\\d|30) sessions held without a failure")
				.contains("chat.limits.sessions");
		}
	}

	@Test
	void endsAtTheMostThatItMayTry() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(search(server, "--from", "20", "--most", "25")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("25 sessions held without a failure")
				.contains("the search ended at --most");
		}
	}

	@Test
	void failsWhenNotEvenOneSessionHolds() {
		try (StompResponder server = new StompResponder(Fault.REFUSE)) {
			assertThat(search(server, "--from", "2", "--most", "4")).isEqualTo(1);
			assertThat(this.console.output()).contains("1 sessions failed").contains("STOMP ERROR: bad token");
		}
	}

	private int levels(StompResponder server) {
		return this.console.run(server.url(), "capacity", "--levels", "20,40", "--repetitions", "2", "--ramp", "200ms",
				"--rooms", "2");
	}

	private int search(StompResponder server, String... more) {
		return this.console.run(server.url(), "capacity", "--search", "--ramp", "50ms", "--hold", "0.2s", "--confirm",
				"2", "--rooms", "2", "--rate", "50", more[0], more[1], more[2], more[3]);
	}

}
