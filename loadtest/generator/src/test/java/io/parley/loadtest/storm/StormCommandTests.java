package io.parley.loadtest.storm;

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
 * Sessions that all connect at once over real sockets, against a correct or a faulty
 * server.
 */
@Tag("slow")
class StormCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenAllAreInAndGetEveryMessage() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(storm(server, "--drain", "30s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("PASSED: storm, 40 sessions of 3 users in 1 rooms")
				.contains("40 of 40")
				.contains("10 sent, 10 accepted, 400 delivered")
				.containsPattern("turned away, reconnected +0 times");
		}
	}

	@Test
	void comesAgainWhenTurnedAwayAndCountsThatAsNoError() {
		try (StompResponder server = new StompResponder(Fault.TURN_AWAY)) {
			assertThat(storm(server, "--within", "60s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("40 of 40")
				.containsPattern("turned away, reconnected +10 times");
		}
	}

	@Test
	void doesNotCountWhatHappensInPractice() {
		try (StompResponder server = new StompResponder(Fault.TURN_AWAY)) {
			assertThat(storm(server, "--within", "60s", "--practice", "20")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("40 of 40").containsPattern("turned away, reconnected +0 times");
		}
	}

	@Test
	void refusesMorePracticeThanTheStorm() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(storm(server, "--practice", "41")).isEqualTo(1);
			assertThat(this.console.output()).as("nothing has begun").isEmpty();
		}
	}

	@Test
	void countsThoseTurnedAwayAsErrorsOnRequest() {
		try (StompResponder server = new StompResponder(Fault.TURN_AWAY)) {
			assertThat(storm(server, "--no-retry")).isEqualTo(1);
			assertThat(this.console.output()).contains("10 × not connected: turned away with 503")
				.contains("chat.limits.connects-per-second");
		}
	}

	@Test
	void failsWhenItTakesLongerThanTheGoal() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(storm(server, "--within", "0.001s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: storm").contains("the goal is 0.0 s");
		}
	}

	@ParameterizedTest
	@CsvSource({ "LOSE, '1 lost, 0 duplicate, 0 out of order, 1 gaps'", "DOUBLE, '0 lost, 1 duplicate'",
			"CLOSE, '1 × closed by the server with 1011 while live'" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		try (StompResponder server = new StompResponder(fault)) {
			assertThat(storm(server, "--drain", "1s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: storm").contains(named);
		}
	}

	private int storm(StompResponder server, String... more) {
		String[] fixed = { "storm", "--sessions", "40", "--hold", "0.2s", "--rate", "50" };
		return this.console.run(server.url(), Console.join(fixed, more));
	}

}
