package io.parley.loadtest.ledger;

import io.parley.loadtest.Console;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Cut connections, at a server that replays missed events or does not.
 */
class ResumeCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenNobodyMissesAnything() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(resume(server, "30s")).as(this.console.output()).isZero();
			assertThat(this.console.output())
				.contains("PASSED: resume, 6 sessions of 6 users in 2 rooms, 40.0 messages/s, 100 % cut 1 times")
				.containsPattern("connections cut by this kit +6\\R")
				.containsPattern("missed events that were replayed +[1-9]")
				.contains("caught up after the loss")
				.contains("6 connections cut, 6 caught up");
		}
	}

	@Test
	void failsWhenWhatWasMissedDoesNotCome() {
		try (StompResponder server = new StompResponder(Fault.NO_REPLAY)) {
			assertThat(resume(server, "1s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: resume")
				.containsPattern("missed by a follower, reported as gap +[1-9]");
		}
	}

	@Test
	void failsWhenSomethingComesTwice() {
		try (StompResponder server = new StompResponder(Fault.DOUBLE)) {
			assertThat(resume(server, "1s")).isEqualTo(1);
			assertThat(this.console.output()).containsPattern("seen twice or without a reason +2\\R");
		}
	}

	private int resume(StompResponder server, String settle) {
		return this.console.run(server.url(), "resume", "--sessions", "6", "--users", "6", "--rooms", "2", "--rate",
				"40", "--cut", "1", "--rounds", "1", "--every", "1s", "--settle", settle);
	}

}
