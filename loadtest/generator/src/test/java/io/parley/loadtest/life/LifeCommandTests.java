package io.parley.loadtest.life;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.loadtest.LoadTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class LifeCommandTests {

	@TempDir
	Path folder;

	private final StringWriter errors = new StringWriter();

	private int run(String... arguments) {
		CommandLine commandLine = LoadTest.commandLine();
		commandLine.setErr(new PrintWriter(this.errors, true));
		return commandLine.execute(arguments);
	}

	@ParameterizedTest
	@CsvSource({ "--users=1, --users must be 2 or more", "--looking=1.5, are shares", "--reconnects=-1, are shares",
			"--costs=-1, must not be below 0", "--reactions=-1, must not be below 0", "--replies=2, are shares",
			"--hold=0s, --hold must be above 0", "--prepare, --prepare needs --people",
			"--rooms-per-user=0, --rooms-per-user 1 or more" })
	void refusesWrongOptionsBeforeAnythingIsSent(String option, String sentence) {
		assertThat(run("life", "--url", "http://127.0.0.1:1", option)).isEqualTo(1);
		assertThat(this.errors.toString()).contains(sentence);
	}

	@Test
	void saysThatTheServerIsAway() {
		assertThat(run("life", "--url", URI.create("http://127.0.0.1:1").toString())).isEqualTo(1);
		assertThat(this.errors.toString()).contains("Nothing answers at http://127.0.0.1:1/readyz");
	}

	@Test
	void refusesAFileThatHasNoUsers() throws Exception {
		Path file = Files.writeString(this.folder.resolve("people.json"), "{}");
		assertThat(run("life", "--people", file.toString())).isEqualTo(1);
		assertThat(this.errors.toString()).contains("is no file of users");
	}

}
