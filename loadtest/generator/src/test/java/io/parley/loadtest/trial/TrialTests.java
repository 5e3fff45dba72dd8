package io.parley.loadtest.trial;

import java.util.List;

import io.parley.loadtest.LoadTest;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.TimeLine;
import io.parley.loadtest.report.ProcessSampler;
import io.parley.loadtest.report.RunReport;
import io.parley.loadtest.report.RunReport.Chart;
import io.parley.loadtest.report.RunReport.Metric;
import io.parley.loadtest.report.RunReport.Series;
import io.parley.loadtest.report.RunReport.Table;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class TrialTests {

	private final Measures measures = new Measures();

	@AutoClose
	private final ProcessSampler processes = ProcessSampler.start();

	@Test
	void hasFiguresTablesAndChartsOfWhatWasMeasured() {
		TimeLine timeLine = new TimeLine(this.measures);
		this.measures.live.add(3);
		timeLine.sample(4);
		this.measures.delivered.add(2);
		this.measures.reached(System.nanoTime() - 5_000_000);
		this.measures.reached(System.nanoTime() - 5_000_000);
		this.measures.error("bad token");
		timeLine.sample(4);
		timeLine.sample(4);
		RunReport report = report("idle").add(this.measures, timeLine).finish(false, "title", "verdict");
		assertThat(report.metrics()).extracting(Metric::name).contains("delivery p50", "delivery p99", "errors");
		assertThat(table(report, "Errors by class").rows()).contains(List.of("bad token", 1L), List.of("lost", 0L));
		assertThat(table(report, "Latency").rows()).singleElement()
			.satisfies((row) -> assertThat(row).hasSize(8).contains("delivered (SEND to each MESSAGE)", 2L));
		assertThat(series(report, "Sessions over time", "target").y()).containsExactly(4.0, 4.0, 4.0);
		assertThat(series(report, "Sessions over time", "live").y()).containsExactly(3.0, 3.0, 3.0);
		assertThat(series(report, "Sessions over time", "errors").y()).containsExactly(0.0, 1.0, 1.0);
		assertThat(series(report, "Messages over time", "delivered").y()).satisfiesExactly(
				(first) -> assertThat(first).isZero(), (second) -> assertThat(second).isPositive(),
				(third) -> assertThat(third).isZero());
		// Only the second interval has deliveries.
		assertThat(series(report, "Delivery over time", "p99").y()).singleElement()
			.satisfies((p99) -> assertThat(p99).isGreaterThanOrEqualTo(5.0));
	}

	@Test
	void drawsThePercentilesUpToTheSlowest() {
		for (int micros = 1000; micros <= 100_000; micros += 1000) {
			this.measures.accepting.recordValue(micros);
		}
		RunReport report = report("idle").add(this.measures, new TimeLine(this.measures)).finish(true, "t", "v");
		Series line = series(report, "Percentiles", "accepted (SEND to RECEIPT)");
		assertThat(line.x()).isSorted().hasSameSizeAs(line.y()).first().isEqualTo(1.0);
		assertThat(line.y()).isSorted();
		assertThat(line.y().get(line.x().indexOf(2.0))).isCloseTo(50, within(1.0));
	}

	@Test
	void repeatsTheCommandWithoutItsPasscode() {
		RunReport report = report("idle", "--plain", "--login", "me", "--passcode", "secret", "--rooms", "3")
			.finish(true, "t", "v");
		assertThat(report.command()).isEqualTo("./chat loadtest idle --plain --login me --passcode ... --rooms 3");
		assertThat(report.name()).isEqualTo("idle");
	}

	private Trial report(String... arguments) {
		CommandLine commandLine = LoadTest.commandLine();
		commandLine.parseArgs(arguments);
		return new Trial(commandLine.getSubcommands().get(arguments[0]).getCommandSpec(), this.processes);
	}

	private static Table table(RunReport report, String title) {
		return report.parts()
			.stream()
			.filter((part) -> part instanceof Table table && table.title().equals(title))
			.map(Table.class::cast)
			.findFirst()
			.orElseThrow();
	}

	private static Series series(RunReport report, String title, String name) {
		return report.parts()
			.stream()
			.filter((part) -> part instanceof Chart chart && chart.title().equals(title))
			.flatMap((part) -> ((Chart) part).series().stream())
			.filter((line) -> line.name().equals(name))
			.findFirst()
			.orElseThrow();
	}

}
