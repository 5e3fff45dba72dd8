package io.parley.loadtest.study.transports;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.transports.Round.Outcome;
import io.parley.loadtest.study.transports.Round.Outcome.End;
import io.parley.loadtest.study.transports.TransportsCommand.Kind;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TransportsReportTests {

	private final TransportsCommand options = new TransportsCommand();

	private final Map<Kind, List<Outcome>> outcomes = new LinkedHashMap<>();

	@BeforeEach
	void onlyBroadcast() {
		this.options.experiments = List.of(Experiment.BROADCAST);
		this.options.only = List.of(Kind.RMI, Kind.BUS);
	}

	@Test
	void passesWhenParleyCompletedEverythingWhateverOthersDid() {
		this.outcomes.put(Kind.RMI, outcomes(End.OUT_OF_TIME, 4));
		this.outcomes.put(Kind.BUS, outcomes(End.COMPLETE, 1));
		Findings report = report();
		assertThat(report.passed()).isTrue();
		assertThat(report.verdict()).contains("4.0 times the rate of RMI")
			.contains("nothing was missing, doubled or out of order");
		assertThat(lastRow(report)).contains(500, 300, 75_000_000L, "stopped after 4 s at 75,000,000 of 75,000,000",
				2587.7);
	}

	@Test
	void failsWhenParleyWasStoppedOrWrong() {
		for (End end : List.of(End.OUT_OF_TIME, End.FAILED, End.INTERRUPTED)) {
			this.outcomes.put(Kind.BUS, outcomes(end, 1));
			assertThat(report().passed()).as(end.name()).isFalse();
		}
	}

	@Test
	void failsWhenACellOfParleyIsMissing() {
		this.outcomes.put(Kind.BUS, outcomes(End.COMPLETE, 1).subList(1, 9));
		assertThat(report().passed()).isFalse();
	}

	@Test
	void stopsACellThatTakesTooLong() {
		Transport silent = new BlockingTransport("silent", (client) -> new Silent());
		Outcome outcome = new Round(silent, new Cell(Experiment.TRANSFER, 1, 5, 100), Duration.ofMillis(1)).run();
		assertThat(outcome.end()).isEqualTo(End.OUT_OF_TIME);
		assertThat(outcome.displayValue().toString()).isEqualTo("stopped after 0 s at 0 of 5");
	}

	@Test
	void hasTheSizesOfTheSeedAndShrinksThem() {
		assertThat(new TransportsCommand().cells()).hasSize(42)
			.contains(new Cell(Experiment.BROADCAST, 500, 300, 100), new Cell(Experiment.CAPACITY, 900, 1, 100),
					new Cell(Experiment.SIZE, 1, 1000, 10_000));
		this.options.scale = 0.1;
		assertThat(this.options.cells()).contains(new Cell(Experiment.BROADCAST, 50, 30, 100));
	}

	private Findings report() {
		return new TransportsReport(this.options.cells(), this.outcomes).findings();
	}

	private List<Outcome> outcomes(End end, double seconds) {
		return this.options.cells()
			.stream()
			.map((cell) -> new Outcome(cell, seconds, cell.deliveries(), Map.of(), end))
			.toList();
	}

	private static List<Object> lastRow(Findings report) {
		return ((Table) report.parts().getFirst()).rows().getLast();
	}

	/**
	 * Accepts all messages and delivers none.
	 */
	private static final class Silent implements Transport.Link {

		@Override
		public void send(int sequence) {
		}

		@Override
		public void leave() {
		}

	}

}
