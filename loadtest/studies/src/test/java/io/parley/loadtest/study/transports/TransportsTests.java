package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.function.Function;
import java.util.stream.Stream;

import io.parley.loadtest.study.Resources;
import io.parley.loadtest.study.transports.Round.Outcome;
import io.parley.loadtest.study.transports.Round.Outcome.End;
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
	void carriesEveryMessageToWhomItGoes(String name, Function<Resources, Transport> start) {
		try (Resources open = new Resources()) {
			Transport transport = start.apply(open);
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
		return Stream.of(Arguments.of("socket", (Function<Resources, Transport>) TransportsCommand::socket),
				Arguments.of("RMI", (Function<Resources, Transport>) TransportsCommand::rmi));
	}

}
