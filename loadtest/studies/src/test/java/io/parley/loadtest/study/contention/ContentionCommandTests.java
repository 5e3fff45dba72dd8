package io.parley.loadtest.study.contention;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.report.RunReport.Table;
import io.parley.loadtest.study.Findings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class ContentionCommandTests {

	private static final JoinRun RIGHT = new JoinRun(List.of(1.0, 2.0, 3.0, 10.0), 2, 2, Map.of(), List.of());

	private static final JoinRun FAILED = new JoinRun(List.of(1.0, 2.0, 3.0, 10.0), 2, 1, Map.of("503", 1), List.of());

	private static final JoinRun WRONG = new JoinRun(List.of(1.0, 2.0, 3.0, 10.0), 3, 1, Map.of(),
			List.of("3 members in 2 places"));

	@Test
	void runsAStrategyInAProcessOfItsOwn(@TempDir Path folder) {
		int code = new CommandLine(new ContentionCommand()).setCaseInsensitiveEnumValuesAllowed(true)
			.execute("--only", "pessimistic", "--users", "20", "--places", "5", "--runs", "2", "--dropped", "1",
					"--report", folder.toString());
		assertThat(code).isZero();
	}

	@Test
	void dropsTheFirstRunsFromTheTimesButNotFromTheChecks() {
		Findings fine = report(JoinStrategy.MUTEX, FAILED, RIGHT, RIGHT);
		assertThat(row(fine)).startsWith("mutex", 8, 4.0, 2.0, 10.0, 10.0, 10.0, 1.0, 10.0, 0.0, 2.0, 0L, 563.2);
		assertThat(fine.passed()).isFalse();
		assertThat(report(JoinStrategy.MUTEX, RIGHT, RIGHT, RIGHT).passed()).isTrue();
		assertThat(report(JoinStrategy.PARLEY, WRONG, RIGHT, RIGHT).passed()).isFalse();
	}

	@Test
	void takesErrorsOfSerializableAsItsResult() {
		Findings report = report(JoinStrategy.SERIALIZABLE, RIGHT, RIGHT, FAILED);
		assertThat(report.passed()).isTrue();
		assertThat(row(report)).contains(12.5);
		assertThat(report(JoinStrategy.SERIALIZABLE, RIGHT, RIGHT, WRONG).passed()).isFalse();
	}

	private static Findings report(JoinStrategy strategy, JoinRun... runs) {
		ContentionCommand options = new ContentionCommand();
		options.dropped = 1;
		return new ContentionReport(options, Map.of(strategy, List.of(runs))).findings();
	}

	private static List<Object> row(Findings report) {
		return ((Table) report.parts().getFirst()).rows().getFirst();
	}

}
