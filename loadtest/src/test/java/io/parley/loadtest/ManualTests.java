package io.parley.loadtest;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class ManualTests {

	@Test
	void namesEachCommandOnceInItsGroup() {
		CommandLine commandLine = LoadTest.commandLine();
		String manual = commandLine.getUsageMessage();
		assertThat(manual).contains("Exit code", "Examples", "130  Ctrl-C");
		assertThat(commandLine.getSubcommands().keySet()).allSatisfy(
				(name) -> assertThat(manual.lines().filter((line) -> line.startsWith("  " + name + " "))).hasSize(1));
		assertThat(manual.indexOf("Sessions: ")).isLessThan(manual.indexOf("  storm "));
		assertThat(manual.indexOf("  storm ")).isLessThan(manual.indexOf("Messages: "));
	}

}
