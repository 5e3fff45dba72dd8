package io.parley.loadtest.faults;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import io.parley.loadtest.Console;
import io.parley.loadtest.LoadTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class FaultsCommandTests {

	@RegisterExtension
	private final Console console = new Console();

	private final StringWriter errors = new StringWriter();

	@Test
	void printsPlanAddressAndCounts() {
		assertThat(run("--listen", "0", "--plan", "half-open", "--duration", "1ms", "--every", "2s")).isZero();
		assertThat(this.console.output())
			.contains("every 1000ms..3000ms half-open one", "listening on port ", "forwarding to 127.0.0.1:8080, seed ")
			.containsPattern("half-open +0\\R")
			.containsPattern("bytes to the server +0\\R");
	}

	@Test
	void namesTheLineOfAScriptThatIsWrong(@TempDir Path folder) throws Exception {
		Path script = Files.writeString(folder.resolve("script"), "after 2s cut\nevery now cut\n");
		assertThat(run("--listen", "0", "--script", script.toString())).isEqualTo(1);
		assertThat(this.errors.toString()).contains("script:2: \"now\"");
	}

	@Test
	void showsTheGrammar() {
		assertThat(LoadTest.commandLine().getSubcommands().get("faults").getUsageMessage()).contains("Scripts",
				"cut-inside [WHOM] [to client|server]", "refuse for TIME");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			--plan chaos           | --plan chaos is unknown: use cuts, delays, half-open, tails or mixed.
			--listen x             | --listen x is wrong: use a port, or a host and a port
			--listen 65536         | --listen 65536 is wrong
			--to :8080             | --to :8080 is wrong
			--to 192.0.2.1:80      | 192.0.2.1 is not this machine
			--cuts 0               | --cuts, --every and --duration must be above 0.
			--duration 0s          | --cuts, --every and --duration must be above 0.
			--duration 99999h      | --duration must be at most a year.
			--connections 0        | --connections 0 needs
			--connections 99999999 | --connections 99,999,999 needs
			--script nowhere       | The script nowhere does not exist.
			""")
	void saysWhatToChange(String options, String message) {
		assertThat(run(options.split(" "))).isEqualTo(1);
		assertThat(this.errors.toString()).contains(message);
	}

	@Test
	void needsTheCommandThatRestarts(@TempDir Path folder) throws Exception {
		Path script = Files.writeString(folder.resolve("script"), "after 2s restart\n");
		assertThat(run("--script", script.toString())).isEqualTo(1);
		assertThat(this.errors.toString()).contains("pass its command with --restart");
		assertThat(run("--script", script.toString(), "--plan", "cuts")).isEqualTo(1);
		assertThat(this.errors.toString()).contains("Use --script or --plan, not both.");
	}

	private int run(String... options) {
		CommandLine commandLine = LoadTest.commandLine().setErr(new PrintWriter(this.errors, true));
		return commandLine.execute(Console.join(new String[] { "faults" }, options));
	}

}
