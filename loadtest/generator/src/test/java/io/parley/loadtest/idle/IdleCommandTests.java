package io.parley.loadtest.idle;

import io.parley.loadtest.Console;
import io.parley.loadtest.LoadTest;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.HeartBeat;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Whole runs over real sockets, against a correct or a faulty server.
 */
@Tag("slow")
class IdleCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	@Test
	void passesWhenEveryMessageArrivesOnceAndInOrder() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(idle(server, "--drain", "30s")).as(this.console.output()).isZero();
			assertThat(this.console.output()).contains("PASSED: idle, 40 sessions of 4 users in 2 rooms")
				.contains("40 of 40")
				.contains("0 lost, 0 duplicate, 0 out of order, 0 gaps")
				.contains("50 sent, 50 accepted, 1,000 delivered");
		}
	}

	@Test
	void doesNotCountTheWarmUp() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			assertThat(run(server, "--warmup", "1s", "--hold", "1s", "--rate", "50")).as(this.console.output())
				.isZero();
			assertThat(this.console.output()).contains("in 2 rooms, warm-up 1 s, hold 1 s")
				.contains("50 sent, 50 accepted, 1,000 delivered");
			assertThat(server.sends).as("what the server got").hasValue(100);
		}
	}

	@ParameterizedTest
	@CsvSource({ "LOSE, '2 lost, 0 duplicate, 0 out of order, 2 gaps'",
			"DOUBLE, '0 lost, 2 duplicate, 0 out of order, 0 gaps'",
			"REORDER, '0 lost, 0 duplicate, 2 out of order, 2 gaps'",
			"APPEND_TWICE, '0 lost, 40 duplicate, 0 out of order'",
			"CLOSE, '2 × closed by the server with 1011 while live'", "KEEP_RECEIPT, '2 × no receipt for a SEND'",
			"REFUSE, '40 × STOMP ERROR: bad token'" })
	void failsAndNamesWhatTheServerDidWrong(Fault fault, String named) {
		try (StompResponder server = new StompResponder(fault)) {
			assertThat(idle(server, "--drain", "2s")).isEqualTo(1);
			assertThat(this.console.output()).contains("FAILED").contains(named);
		}
	}

	@Test
	void countsASilentServerAsHeartBeatMisses() {
		Measures measures = new Measures();
		HeartBeat heartBeat = new HeartBeat();
		heartBeat.agree(new long[] { 10_000, 10_000 });
		long now = System.nanoTime();
		assertThat(heartBeat.isMissed(now + 19_000_000_000L)).isFalse();
		assertThat(heartBeat.isMissed(now + 21_000_000_000L)).isTrue();
		assertThat(heartBeat.isMissed(now + 22_000_000_000L)).as("the same silence").isFalse();
		measures.heartBeatMisses.increment();
		assertThat(measures.passed(0)).isFalse();
	}

	@Test
	void refusesAHostThatIsNotThisMachine() {
		assertThat(LoadTest.commandLine().execute("idle", "--url", "http://192.0.2.1:8080")).isEqualTo(1);
	}

	private int idle(StompResponder server, String... more) {
		String[] fixed = { "--hold", "0.5s", "--rate", "100" };
		return run(server, Console.join(fixed, more));
	}

	private int run(StompResponder server, String... more) {
		String[] fixed = { "idle", "--sessions", "40", "--rooms", "2", "--connect-rate", "400" };
		return this.console.run(server.url(), Console.join(fixed, more));
	}

}
