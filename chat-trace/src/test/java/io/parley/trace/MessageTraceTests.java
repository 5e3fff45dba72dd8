package io.parley.trace;

import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MessageTraceTests {

	private static final int COUNT = 20_000;

	@Test
	void hasTheIdOfTheMessage() {
		assertThat(MessageTrace.of("0f8fad5b-d9cb-469f-a165-70867728950e"))
			.isEqualTo(new MessageTrace("0f8fad5bd9cb469fa16570867728950e"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "m1", "0-0-0-0-0", "00000000-0000-0000-0000-000000000000",
			"0f8fad5b-d9cb-169f-a165-70867728950e", "f8fad5b-d9cb-469f-a165-70867728950e" })
	void isOnlyForRandomIds(String message) {
		assertThat(MessageTrace.of(message)).isNull();
	}

	/** A UUID has fixed bits, which must not decide. */
	@ParameterizedTest
	@ValueSource(doubles = { 0, 0.01, 0.1, 0.5, 0.9, 1 })
	void samplesTheShare(double share) {
		List<MessageTrace> sampled = Stream
			.generate(() -> Objects.requireNonNull(MessageTrace.of(UUID.randomUUID().toString())))
			.limit(COUNT)
			.filter((trace) -> trace.isIn(share))
			.toList();
		// Six standard deviations.
		double deviation = 6 * Math.sqrt(COUNT * share * (1 - share));
		assertThat((double) sampled.size()).isBetween(COUNT * share - deviation, COUNT * share + deviation);
	}

	@Test
	void samplesTheSameMessagesOfALargerShare() {
		assertThat(Stream.generate(() -> Objects.requireNonNull(MessageTrace.of(UUID.randomUUID().toString())))
			.limit(COUNT)
			.filter((trace) -> trace.isIn(0.1))).allMatch((trace) -> trace.isIn(0.2));
	}

}
