package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.parley.loadtest.study.transports.Outcome.End;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Servers that Parley is compared with, each in a separate process.
 */
class TransportsTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	@ParameterizedTest(name = "{0}")
	@MethodSource("transports")
	void carriesEveryMessageToWhomItGoes(String name, Supplier<Transport> start) {
		try (Transport transport = start.get()) {
			for (Experiment experiment : Experiment.values()) {
				Cell cell = new Cell(experiment, 7, 40, 2000);
				Outcome outcome = new Round(transport, cell, LIMIT).run();
				assertThat(outcome.problems()).as("%s of %s", experiment, name).isEmpty();
				assertThat(outcome.end()).isEqualTo(End.COMPLETE);
				assertThat(outcome.arrived()).isEqualTo(experiment.toAll ? 7 * 40 * 7 : 7 * 40);
			}
		}
	}

	static Stream<Arguments> transports() {
		return Stream.of(Arguments.of("socket", (Supplier<Transport>) SocketTransport::new),
				Arguments.of("RMI", (Supplier<Transport>) RmiTransport::new));
	}

}
