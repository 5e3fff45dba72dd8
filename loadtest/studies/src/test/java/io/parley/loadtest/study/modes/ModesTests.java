package io.parley.loadtest.study.modes;

import java.util.List;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.idle.IdleResult;
import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Findings;
import io.parley.loadtest.study.Results;
import io.parley.loadtest.study.server.ProcessUsage.Use;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ModesTests {

	private static final Mode BUS = Mode.named(List.of("bus")).getFirst();

	private final ModesReport found = new ModesReport(new ModesCommand());

	@Test
	void runsTheTextbookAndEachModeWithoutOnly() {
		assertThat(Mode.named(List.of())).extracting(Mode::name)
			.containsExactly("textbook", "simple", "relay/rabbitmq/per-session", "relay/rabbitmq/per-node",
					"relay/artemis/per-session", "relay/artemis/per-node", "relay/activemq/per-session",
					"relay/activemq/per-node", "bus");
	}

	@Test
	void takesNamesAndHowTheyBegin() {
		assertThat(Mode.named(List.of("bus", "relay/artemis"))).extracting(Mode::name)
			.containsExactly("relay/artemis/per-session", "relay/artemis/per-node", "bus");
		assertThatExceptionOfType(LoadTestException.class).isThrownBy(() -> Mode.named(List.of("bus", "bu")))
			.withMessageContaining("--only bu:");
	}

	@Test
	void passesWhenParleyHeldWhatTheTextbookDidNot() {
		this.found.add(step(Mode.TEXTBOOK, Results.lossy(5), 0));
		this.found.add(step(BUS, Results.good(7), 0));
		assertThat(this.found.findings().passed()).isTrue();
	}

	@Test
	void failsAndSaysWhatAModeLost() {
		this.found.add(step(BUS, Results.lossy(5), 0));
		Findings findings = this.found.findings();
		assertThat(findings.passed()).isFalse();
		assertThat(findings.verdict()).contains("bus at 1,000 deliveries/s: 5 deliveries missing");
	}

	@Test
	void failsWhenNothingWasRun() {
		this.found.notRun(BUS, "no Docker\nand more");
		assertThat(this.found.findings().passed()).isFalse();
		assertThat(this.found.findings().verdict()).contains("bus not run: no Docker.");
		Table table = (Table) this.found.findings().parts().getFirst();
		assertThat(table.rows().getFirst()).hasSameSizeAs(table.columns()).contains("not run: no Docker");
	}

	@Test
	void namesWhatStoppedAStep() {
		int cores = Runtime.getRuntime().availableProcessors();
		assertThat(step(BUS, Results.good(900), cores).isGood()).isTrue();
		Step slow = step(BUS, Results.good(1200), cores);
		assertThat(slow.isGood()).isFalse();
		assertThat(slow.reason()).startsWith("p99 was 1,200 ms; the processor is saturated");
		Step disturbed = new Step(BUS, 10, 1000, Results.good(1200), cores, new Use(0, 0, 1024), 7, null);
		assertThat(disturbed.reason()).startsWith("p99 was 1,200 ms; the processor is saturated")
			.contains(", the rest of the machine %.2f".formatted(cores - 0.5));
		assertThat(step(BUS, Results.broken("closed"), 0).reason()).startsWith("3 errors, such as \"closed\"; of ");
	}

	@Test
	void reportsTheHighestRateThatWasHeldAsTheCeiling() {
		Step good = step(BUS, Results.good(10), 0);
		this.found.add(good);
		this.found.ceiling(good, step(BUS, Results.good(5000), 0));
		assertThat(this.found.findings().passed()).as("a ceiling is no failure").isTrue();
		assertThat(this.found.findings().metrics()).anySatisfy((metric) -> {
			assertThat(metric.name()).isEqualTo("bus ceiling");
			assertThat(metric.value()).isEqualTo(1000);
		});
	}

	private static Step step(Mode mode, IdleResult result, double serverCores) {
		return new Step(mode, 10, 1000, result, serverCores, new Use(serverCores, serverCores, 1024), 7, null);
	}

}
