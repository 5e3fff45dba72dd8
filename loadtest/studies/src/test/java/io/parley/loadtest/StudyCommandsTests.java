package io.parley.loadtest;

import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class StudyCommandsTests {

	private static final List<String> STUDIES = List.of("modes", "peers", "separation", "transports", "pipeline",
			"pooling", "contention");

	@Test
	void areListedAfterTheCommandsOfTheGenerator() {
		String manual = LoadTest.commandLine().getUsageMessage();
		List<String> listed = manual.substring(manual.indexOf("Studies: start their own servers"))
			.lines()
			.skip(1)
			.takeWhile((line) -> !line.isBlank())
			.filter((line) -> line.startsWith("  ") && !line.startsWith("   "))
			.map((line) -> line.strip().split(" ")[0])
			.toList();
		assertThat(listed).startsWith(STUDIES.toArray(String[]::new));
		assertThat(manual.indexOf("  capacity ")).isPositive().isLessThan(manual.indexOf("  modes "));
	}

	@Test
	void acceptEnumValuesInAnyCaseLikeTheOthers() {
		assertThat(LoadTest.commandLine().getSubcommands().keySet()).containsAll(STUDIES)
			.contains("transport-server", "contention-server", "generator");
		assertThat(LoadTest.commandLine().getSubcommands().get("contention").isCaseInsensitiveEnumValuesAllowed())
			.isTrue();
	}

}
