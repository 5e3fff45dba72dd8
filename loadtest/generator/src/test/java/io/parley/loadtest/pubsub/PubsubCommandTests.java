package io.parley.loadtest.pubsub;

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
 * Messages in rooms over real sockets, against a correct or a faulty server.
 */
@Tag("slow")
class PubsubCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void runsEachStepAndChecksEveryDelivery() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(pubsub(server, "--steps", "20,100", "--drain", "30s")).as(this.console.output()).isZero();
			assertThat(this.console.output())
				.contains("PASSED: pubsub, 2 rooms of 5 sessions, [20.0, 100.0] messages/s")
				.containsPattern("(?m)^ +20.00 ")
				.containsPattern("(?m)^ +100.00 ")
				.contains("60 sent, 60 accepted, 300 delivered");
		}
	}

	@Test
	void sendsFromAsManyMembersAsAskedAndTextsOfTheSizeAsked() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(pubsub(server, "--rate", "20", "--publishers", "2", "--size", "1500")).as(this.console.output())
				.isZero();
			assertThat(this.console.output()).contains("20 sent, 20 accepted, 100 delivered");
			assertThat(server.senders).hasSize(4);
			assertThat(server.texts).isNotEmpty().allSatisfy((text) -> assertThat(text).hasSize(1500));
		}
	}

	@ParameterizedTest
	@CsvSource({ "LOSE, '2 lost, 0 duplicate, 0 out of order, 2 gaps'", "DOUBLE, '0 lost, 2 duplicate'",
			"REORDER, '2 out of order'", "CLOSE, '2 × closed by the server with 1011 while live'" })
	void endsAtTheFirstStepThatFailsAndNamesWhatWasWrong(Fault fault, String named) {
		try (StompResponder server = new StompResponder(fault)) {
			assertThat(pubsub(server, "--steps", "40,80", "--drain", "1s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED: pubsub")
				.contains(named)
				.doesNotContainPattern("(?m)^ +80.00 ");
		}
	}

	private int pubsub(StompResponder server, String... more) {
		String[] fixed = { "pubsub", "--rooms", "2", "--members", "5", "--warmup", "0s", "--hold", "0.5s" };
		return this.console.run(server.url(), Console.join(fixed, more));
	}

}
