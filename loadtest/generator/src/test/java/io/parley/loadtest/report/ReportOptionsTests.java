package io.parley.loadtest.report;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.parley.loadtest.report.RunReport.Better;
import io.parley.loadtest.report.RunReport.Metric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class ReportOptionsTests {

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private final PrintStream console = System.out;

	@TempDir
	private Path folder;

	@BeforeEach
	void capture() {
		System.setOut(new PrintStream(this.printed, true, StandardCharsets.UTF_8));
	}

	@AfterEach
	void release() {
		System.setOut(this.console);
	}

	@Test
	void writesBothFilesAndSaysWhere() throws IOException {
		RunReport report = Runs.whole("Written");
		assertThat(options("--report", this.folder.resolve("new").toString()).finish(report)).isZero();
		List<Path> files = files(this.folder.resolve("new"));
		assertThat(files).extracting((file) -> file.getFileName().toString())
			.allSatisfy((name) -> assertThat(name).matches("study-20261121-\\d{6}\\.(html|json)"))
			.hasSize(2);
		assertThat(RunFile.read(files.getLast())).isEqualTo(report);
		assertThat(files.getFirst()).content().isEqualTo(HtmlReport.of(report));
		assertThat(output()).contains("PASSED: " + report.verdict(), "Report: " + files.getFirst());
	}

	@Test
	void answersOneWhenTheRunFailed() {
		RunReport failed = Runs.run("Failed", false, List.of(), List.of());
		assertThat(options("--report", this.folder.toString()).finish(failed)).isEqualTo(1);
		assertThat(output()).contains("FAILED: ");
	}

	@Test
	void answersThreeAndSaysWhyWhenItIsWorseThanTheBaseline() throws IOException {
		assertThat(finishAfter(10, 13)).isEqualTo(3);
		assertThat(output())
			.contains("Worse than the baseline of 2026-11-21 by more than 20 %: p99 (10 ms → 13 ms, +30.0 %).");
		assertThat(files(this.folder)).filteredOn((file) -> file.toString().endsWith(".html"))
			.singleElement()
			.satisfies((page) -> assertThat(page).content().contains("Compared with the baseline", "+30.0 %"));
	}

	@Test
	void allowsWhatTheThresholdAllows() throws IOException {
		assertThat(finishAfter(10, 13, "--threshold", "30")).isZero();
		assertThat(output()).contains("No figure is worse than the baseline");
	}

	@Test
	void refusesABaselineThatCannotBeReadBeforeTheRun() {
		assertThatExceptionOfType(ParameterException.class).isThrownBy(() -> options("--baseline", "none.json"))
			.withMessageContaining("none.json cannot be read: pass the .json file of an earlier run");
	}

	private int finishAfter(double before, double now, String... more) throws IOException {
		Metric old = Runs.metric("p99", before, Better.LOWER);
		Path baseline = Files.writeString(this.folder.resolve("old"), RunFile.json(Runs.measured(old)));
		String[] fixed = { "--report", this.folder.toString(), "--baseline", baseline.toString() };
		return options(Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new))
			.finish(Runs.measured(Runs.metric("p99", now, Better.LOWER)));
	}

	private static ReportOptions options(String... arguments) {
		Study study = new Study();
		new CommandLine(study).parseArgs(arguments);
		return study.options;
	}

	private static List<Path> files(Path folder) throws IOException {
		try (Stream<Path> files = Files.list(folder)) {
			return files.sorted().toList();
		}
	}

	private String output() {
		return this.printed.toString(StandardCharsets.UTF_8);
	}

	@Command
	private static final class Study {

		@Mixin
		private final ReportOptions options = new ReportOptions();

	}

}
