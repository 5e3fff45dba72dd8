package io.parley.loadtest.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.parley.loadtest.cli.Interrupt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;

import static org.assertj.core.api.Assertions.assertThat;

class StudyCommandTests {

	@TempDir
	private Path folder;

	@AfterEach
	void forget() {
		Interrupt.listen();
	}

	@Test
	void writesWhatItFound() throws Exception {
		assertThat(run(() -> "done")).isZero();
		assertThat(report()).contains("\"verdict\" : \"All is well.\"", "\"passed\" : true");
	}

	@Test
	void writesWhatIsThereWhenItIsInterruptedAndItsServersAreGone() throws Exception {
		assertThat(run(() -> {
			Interrupt.request();
			throw new IllegalStateException("Connection refused");
		})).isEqualTo(1);
		assertThat(report()).contains("\"verdict\" : \"INTERRUPTED before its end; until then: All is well.\"",
				"\"passed\" : false");
	}

	@Test
	void hasNoReportWhenItBreaks() throws Exception {
		assertThat(run(() -> {
			throw new IllegalStateException("Connection refused");
		})).isEqualTo(CommandLine.ExitCode.SOFTWARE);
		assertThat(this.folder).isEmptyDirectory();
	}

	@Test
	void preparesOnceBeforeTheFirstCase() throws Exception {
		List<String> calls = new ArrayList<>();
		new CommandLine(new SmallCommand(() -> calls.add("case")) {

			@Override
			protected List<String> cases() {
				return List.of("one", "two");
			}

			@Override
			protected void prepare(List<String> cases) {
				calls.addAll(cases);
			}

		}).execute("--report", this.folder.toString());
		assertThat(calls).containsExactly("one", "two", "case", "case");
	}

	private int run(Callable<?> work) {
		return new CommandLine(new SmallCommand(work)).setExecutionExceptionHandler((failure, command, parsed) -> {
			assertThat(failure).hasMessage("Connection refused");
			return CommandLine.ExitCode.SOFTWARE;
		}).execute("--report", this.folder.toString());
	}

	private String report() throws Exception {
		try (Stream<Path> files = Files.list(this.folder)) {
			Path json = files.filter((file) -> file.toString().endsWith(".json")).findFirst().orElseThrow();
			return Files.readString(json);
		}
	}

	@Command(name = "small")
	private static class SmallCommand extends StudyCommand<String> {

		private final Callable<?> work;

		SmallCommand(Callable<?> work) {
			this.work = work;
		}

		@Override
		protected List<String> cases() {
			return List.of("one");
		}

		@Override
		protected Duration expected() {
			return Duration.ZERO;
		}

		@Override
		protected void run(String theCase, Resources open) throws Exception {
			this.work.call();
		}

		@Override
		protected Findings findings() {
			return new Findings("Small", true, "All is well.");
		}

	}

}
