package io.parley.loadtest.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.loadtest.cli.LoadTestException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class RunFileTests {

	@TempDir
	private Path folder;

	@Test
	void isReadAsWhatWasWritten() throws IOException {
		RunReport report = Runs.whole("A \"title\" with ünïcode </script>");
		assertThat(RunFile.read(file(RunFile.json(report)))).isEqualTo(report);
	}

	@Test
	void keepsWhatWasNotMeasured() throws IOException {
		RunReport report = Runs.measured(Runs.metric("p99", Double.NaN, RunReport.Better.LOWER));
		assertThat(RunFile.read(file(RunFile.json(report)))).isEqualTo(report);
	}

	@Test
	void refusesAFileThatIsNotThere() {
		assertThatExceptionOfType(LoadTestException.class)
			.isThrownBy(() -> RunFile.read(this.folder.resolve("none.json")))
			.withMessageContaining("none.json")
			.withMessageContaining("pass the .json file of an earlier run");
	}

	@Test
	void refusesSomethingElse() {
		for (String content : new String[] { "", "<html>", "[]", "{}", "null",
				"{\"name\":\"study\",\"metrics\":[]}" }) {
			assertThatExceptionOfType(LoadTestException.class).as(content)
				.isThrownBy(() -> RunFile.read(file(content)))
				.withMessageContaining("is not a report of this load kit");
		}
	}

	private Path file(String content) throws IOException {
		return Files.writeString(this.folder.resolve("run.json"), content);
	}

}
