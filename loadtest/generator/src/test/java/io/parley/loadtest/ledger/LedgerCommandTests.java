package io.parley.loadtest.ledger;

import io.parley.loadtest.Console;
import io.parley.loadtest.LoadTest;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole ledger runs over real sockets, against a correct or a faulty server.
 */
@Tag("slow")
class LedgerCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenEverythingIsInTheHistoryOnce() {
		assertThat(ledger(Fault.NONE, "30s")).as(this.console.output()).isZero();
		assertThat(this.console.output()).contains("PASSED: ledger, 50.0 messages/s for 1 s by 6 users in 2 rooms")
			.containsPattern("attempted +50\\R")
			.containsPattern("acknowledged +50\\R")
			.containsPattern("in the history +50\\R")
			.containsPattern("connections +6\\R");
	}

	@Test
	void comesBackResumesAndSendsAgainWhenTheConnectionIsLost() {
		assertThat(ledger(Fault.CLOSE, "30s")).as(this.console.output()).isZero();
		assertThat(this.console.output()).containsPattern("acknowledged +50\\R")
			.containsPattern("connections +8\\R")
			.contains("2 × closed with 1011");
	}

	@ParameterizedTest
	@CsvSource({ "FORGET, 'lost +2\\R'", "APPEND_TWICE, 'duplicated +2\\R'",
			"LOSE, 'missed by a follower, reported as gap +2\\R'", "DOUBLE, 'seen twice or without a reason +2\\R'",
			"REORDER, 'out of order +2\\R'", "KEEP_RECEIPT, 'acknowledged +48\\R'" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		assertThat(ledger(fault, "2s")).isEqualTo(1);
		assertThat(this.console.output()).contains("FAILED").containsPattern(named);
	}

	@Test
	void refusesARateThatTheUsersMayNotSend() {
		assertThat(LoadTest.commandLine().execute("ledger", "--users", "12", "--rate", "121")).isEqualTo(1);
	}

	private int ledger(Fault fault, String settle) {
		try (StompResponder server = new StompResponder(fault)) {
			return this.console.run(server.url(), "ledger", "--users", "6", "--rooms", "2", "--rate", "50",
					"--duration", "1s", "--settle", settle);
		}
	}

}
