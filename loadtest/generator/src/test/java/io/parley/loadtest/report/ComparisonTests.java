package io.parley.loadtest.report;

import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Metric;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ComparisonTests {

	@ParameterizedTest
	@CsvSource({ "LOWER, 100, 120, false", "LOWER, 100, 121, true", "LOWER, 100, 10, false", "LOWER, 0, 0, false",
			"LOWER, 0, 1, true", "HIGHER, 100, 80, false", "HIGHER, 100, 79, true", "HIGHER, 100, 900, false",
			"HIGHER, 0, 1, false" })
	void failsWhenAFigureIsWorseByMoreThanTheThreshold(Better better, double before, double now, boolean failed) {
		Comparison comparison = compare(Runs.metric("p99", before, better), Runs.metric("p99", now, better));
		assertThat(comparison.failed()).isEqualTo(failed);
	}

	@Test
	void namesWhatIsWorseAndByHowMuch() {
		Comparison comparison = compare(Runs.metric("p99", 12, Better.LOWER), Runs.metric("p99", 19, Better.LOWER));
		assertThat(comparison.sentence())
			.isEqualTo("Worse than the baseline of 2026-11-21 by more than 20 %: p99 (12 ms → 19 ms, +58.3 %).");
		assertThat(comparison.table().rows().getFirst()).containsExactly("p99", "12 ms", "19 ms", "+58.3 %", "worse");
	}

	@Test
	void namesWhatIsBetter() {
		Comparison comparison = compare(Runs.metric("rate", 100, Better.HIGHER),
				Runs.metric("rate", 150, Better.HIGHER));
		assertThat(comparison.table().rows().getFirst()).endsWith("+50.0 %", "better");
		assertThat(comparison.sentence()).startsWith("No figure is worse than the baseline of 2026-11-21");
	}

	@Test
	void namesTheFiguresOfOneSide() {
		Metric both = Runs.metric("p99", 12, Better.LOWER);
		Comparison comparison = Comparison.of(Runs.measured(both, Runs.metric("old", 1, Better.LOWER)),
				Runs.measured(both, Runs.metric("new", 1, Better.LOWER), Runs.metric("nan", Double.NaN, Better.LOWER)),
				20);
		assertThat(comparison.failed()).isFalse();
		assertThat(comparison.sentence()).endsWith("Not compared: new (only in this run), old (only in the baseline).");
		assertThat(comparison.table().rows()).hasSize(3);
	}

	@Test
	void doesNotCompareMillisecondsWithSeconds() {
		Comparison comparison = compare(new Metric("p99", 1, "s", Better.LOWER), Runs.metric("p99", 900, Better.LOWER));
		assertThat(comparison.sentence()).contains("no figure in common", "p99 (units differ)");
	}

	@Test
	void failsWhenThereIsNothingToCompare() {
		Comparison comparison = compare(Runs.metric("p99", 1, Better.LOWER), Runs.metric("rate", 1, Better.HIGHER));
		assertThat(comparison.failed()).isTrue();
		assertThat(comparison.sentence()).startsWith("The baseline has no figure in common with this run");
	}

	private static Comparison compare(Metric before, Metric now) {
		return Comparison.of(Runs.measured(before), Runs.measured(now), 20);
	}

}
