package io.parley.loadtest;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;

class CommandGroupsTests {

	@Test
	void namesEachCommandOnceInItsGroup() {
		CommandLine commandLine = LoadTest.commandLine();
		String manual = commandLine.getUsageMessage();
		assertThat(manual).contains("Exit code", "Examples", "130  Ctrl-C");
		commandLine.getSubcommands().forEach((name, command) -> {
			int times = command.getCommandSpec().usageMessage().hidden() ? 0 : 1;
			assertThat(manual.lines().filter((line) -> line.startsWith("  " + name + " "))).as(name).hasSize(times);
		});
		assertThat(manual.indexOf("Sessions: ")).isLessThan(manual.indexOf("  storm "));
		assertThat(manual.indexOf("  storm ")).isLessThan(manual.indexOf("Messages: "));
	}

}
