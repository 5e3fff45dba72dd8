package io.parley.loadtest.study.pipeline;

import java.time.Duration;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.stomp.Fault;
import io.parley.loadtest.stomp.StompResponder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Pairs over real sockets, against a correct or a faulty server.
 */
class PairTrafficTests {

	private static final int MESSAGES = 50;

	private static final int PAIRS = 3;

	@Test
	void accountsForEachMessageOfEachPair() {
		PairResult result = run(Fault.NONE, MESSAGES, Duration.ofHours(1));
		assertThat(result.isWhole()).as(result.toString()).isTrue();
		assertThat(result.messages()).isEqualTo(new PairResult.Steps<>(150L, 150L, 150L, 150L));
		assertThat(result.accepting().count()).isEqualTo(150);
		assertThat(result.delivering().count()).isEqualTo(150);
		assertThat(result.lookedUp()).isZero();
	}

	@Test
	void stopsSendingWhenTheTimeIsOver() {
		PairResult result = run(Fault.NONE, 0, Duration.ofMillis(300));
		assertThat(result.isWhole()).as(result.toString()).isTrue();
		assertThat(result.messages().sent()).isPositive();
	}

	@Test
	void looksUpWhatTheServerToldItTo() {
		PairResult result = run(Fault.TELL_A_GAP, MESSAGES, Duration.ofHours(1));
		assertThat(result.isWhole()).as(result.toString()).isTrue();
		assertThat(result.lookedUp()).as("one for each receiver").isEqualTo(PAIRS);
	}

	@ParameterizedTest
	@EnumSource(names = { "LOSE", "FORGET", "DOUBLE", "REORDER", "APPEND_TWICE", "CLOSE", "KEEP_RECEIPT" })
	void isNotWholeWhenTheServerIsWrong(Fault fault) {
		PairResult result = run(fault, MESSAGES, Duration.ofHours(1));
		assertThat(result.isWhole()).as(result.toString()).isFalse();
		switch (fault) {
			case LOSE -> assertThat(result.missing()).isEqualTo(PAIRS);
			case FORGET -> {
				assertThat(result.messages().stored()).isEqualTo(150L - PAIRS);
				assertThat(result.misplaced()).as("holes in the history").isEqualTo(PAIRS);
			}
			case DOUBLE -> assertThat(result.doubled()).isEqualTo(PAIRS);
			case APPEND_TWICE -> assertThat(result.doubled()).as("delivered and stored").isEqualTo(2 * PAIRS);
			case REORDER -> assertThat(result.misplaced()).isGreaterThanOrEqualTo(PAIRS);
			case KEEP_RECEIPT -> assertThat(result.messages().accepted()).isEqualTo(150L - PAIRS);
			default -> assertThat(result.errors()).containsEntry("closed by the server with 1011", (long) PAIRS);
		}
	}

	@Test
	void isNotWholeWhenNobodySaysThatAllIsStored() {
		try (StompResponder server = new StompResponder(Fault.NONE)) {
			PairResult result = run(server, "/no-metrics", MESSAGES, Duration.ofHours(1), Duration.ofSeconds(1));
			assertThat(result.isWhole()).isFalse();
			assertThat(result.errors()).containsOnlyKeys("the persistence-worker is still behind");
		}
	}

	@Test
	void refusesToRunWithoutAllOfThem() {
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> run(Fault.REFUSE, MESSAGES, Duration.ofHours(1)))
			.withMessageContaining("bad token");
	}

	/**
	 * A short time limit for tests in which the expected events never arrive.
	 */
	private static Duration settle(Fault fault) {
		return switch (fault) {
			case LOSE, TELL_A_GAP, KEEP_RECEIPT, CLOSE -> Duration.ofSeconds(1);
			default -> Duration.ofMinutes(1);
		};
	}

	private static PairResult run(Fault fault, long messages, Duration duration) {
		try (StompResponder server = new StompResponder(fault)) {
			return run(server, "/metrics", messages, duration, settle(fault));
		}
	}

	private static PairResult run(StompResponder server, String metrics, long messages, Duration duration,
			Duration settle) {
		try (PairTraffic traffic = new PairTraffic(server.url(), server.url().resolve(metrics),
				new PipelineCommand.Plan("pairs", PAIRS, messages, duration, 10, settle))) {
			return traffic.run();
		}
	}

}
