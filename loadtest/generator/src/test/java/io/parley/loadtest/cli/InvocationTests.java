package io.parley.loadtest.cli;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;

import static org.assertj.core.api.Assertions.assertThat;

class InvocationTests {

	@ParameterizedTest
	@CsvSource({ "idle --rooms 3 --hold=1s, idle --rooms 3 --hold=1s", //
			"idle --report some/folder --rooms 3, idle --rooms 3", //
			"idle --rooms 3 --report=some/folder, idle --rooms 3", //
			"idle --report some/folder, idle", //
			"idle --plain --passcode secret --rooms 3, idle --plain --passcode ... --rooms 3",
			"pooling --password=secret, pooling --password=...",
			"transports --with-relay --relay-login me:secret, transports --with-relay --relay-login ..." })
	void repeatsWhatWasAskedWithoutSecretsAndWithoutTheFolderOfTheReport(String asked, String shown) {
		CommandLine commandLine = new CommandLine(new Kit()).setUnmatchedArgumentsAllowed(true);
		commandLine.parseArgs(asked.split(" "));
		assertThat(Invocation.repeating(commandLine.getCommandSpec())).isEqualTo("./chat loadtest " + shown);
	}

	@Command(name = "./chat loadtest")
	private static final class Kit {

	}

}
