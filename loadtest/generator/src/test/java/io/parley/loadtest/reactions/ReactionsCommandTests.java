package io.parley.loadtest.reactions;

import java.io.PrintWriter;
import java.io.StringWriter;

import io.parley.loadtest.LoadTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class ReactionsCommandTests {

	@ParameterizedTest
	@CsvSource({ "--users=0, '--users, --rounds, --servers and --connect-rate must be above 0'",
			"--servers=0, '--users, --rounds, --servers and --connect-rate must be above 0'",
			"--per-user=0, --per-user and --rate must be above 0", "--rate=-1, --per-user and --rate must be above 0",
			"--hold=0s, --hold must be above 0" })
	void refusesWrongOptionsBeforeAnythingIsSent(String option, String sentence) {
		StringWriter errors = new StringWriter();
		CommandLine commandLine = LoadTest.commandLine();
		commandLine.setErr(new PrintWriter(errors, true));
		assertThat(commandLine.execute("reactions", "--url", "http://127.0.0.1:1", option)).isEqualTo(1);
		assertThat(errors.toString()).contains(sentence);
	}

}
