package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;

import io.parley.loadtest.cli.LoadTestException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/**
 * The options for the report and the baseline, common to all commands.
 */
public final class ReportOptions {

	/** The exit code of a run that passed, but is worse than its baseline. */
	static final int WORSE = 3;

	private static final DateTimeFormatter SECOND = DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss");

	@Option(names = "--report", paramLabel = "<folder>",
			description = "Folder for the report, as HTML and as JSON. Default: ${DEFAULT-VALUE}")
	public Path folder = Path.of("loadtest-reports");

	@Option(names = "--baseline", paramLabel = "<file>", converter = Earlier.class,
			description = "JSON of an earlier run: end with exit code 3 when this one is worse.")
	@Nullable RunReport baseline;

	@Option(names = "--threshold", paramLabel = "<percent>",
			description = "With --baseline: how much worse a figure may be, in per cent. Default: ${DEFAULT-VALUE}")
	double threshold = 20;

	/**
	 * Writes both files, prints the verdict and the path, and compares with the baseline
	 * if there is one.
	 * @return the exit code: 0 when the run passed and is not worse than the baseline, 1
	 * when it failed, 3 when it is worse or has no figure in common with the baseline
	 */
	public int finish(RunReport report) {
		Comparison comparison = (this.baseline != null) ? Comparison.of(this.baseline, report, this.threshold) : null;
		Path page = write((comparison != null) ? report.startingWith(comparison.table()) : report);
		System.out.printf("%n%s: %s%n", report.passed() ? "PASSED" : "FAILED", report.verdict());
		if (comparison != null) {
			System.out.printf("%n%s%s%n", TextTable.of(comparison.table()), comparison.table().note());
		}
		System.out.printf("Report: %s (and a .json file next to it)%n", page);
		if (!report.passed()) {
			return 1;
		}
		return (comparison != null && comparison.failed()) ? WORSE : 0;
	}

	private Path write(RunReport report) {
		String name = report.name() + "-" + SECOND.format(report.startedAt().atZone(ZoneId.systemDefault()));
		Path page = this.folder.resolve(name + ".html");
		try {
			Files.createDirectories(this.folder);
			Files.writeString(this.folder.resolve(name + ".json"), RunFile.json(report));
			Files.writeString(page, HtmlReport.of(report));
			return page;
		}
		catch (IOException ex) {
			throw new LoadTestException("%s: %s. The report cannot be written to %s: pass another folder with --report."
				.formatted(report.passed() ? "PASSED" : "FAILED", report.verdict().replaceFirst("\\.$", ""),
						this.folder));
		}
	}

	/**
	 * Reads the baseline before the run, so that an unreadable file does not waste the
	 * run.
	 */
	static final class Earlier implements ITypeConverter<RunReport> {

		@Override
		public RunReport convert(String file) {
			try {
				return RunFile.read(Path.of(file));
			}
			catch (LoadTestException ex) {
				throw new TypeConversionException(ex.getMessage());
			}
		}

	}

}
