package io.parley.system;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class AlertMonitorTests {

	private static final Path TESTS = Path.of("src/test/java/io/parley/system");

	@Test
	@Tag("exhaustive")
	void eachRealRuleRaisesItsAlertOnly() throws Exception {
		AlertMonitor.assumeInstalled();
		assertThat(AlertMonitor.RULES.resolve("parley.rules.test.yml")).content()
			.contains("rule_files:\n  - parley.rules.yml\n");
		assertThat(ChildCommand.run(AlertMonitor.RULES, "promtool", "test", "rules", "parley.rules.test.yml"))
			.contains("SUCCESS");
		assertThat(ChildCommand.run(AlertMonitor.RULES, "promtool", "check", "config", "prometheus.yml"))
			.contains("SUCCESS");
	}

	@Test
	void changesTheWaitsOfTheRulesOnly() throws IOException {
		List<String> real = AlertMonitor.rules().lines().toList();
		List<String> quick = AlertMonitor.withShortWaits(AlertMonitor.rules()).lines().toList();
		assertThat(quick).filteredOn((line) -> line.contains(" for: "))
			.hasSameSizeAs(real.stream().filter((line) -> line.contains(" for: ")).toList())
			.containsOnly("        for: 5s");
		assertThat(quick.stream().filter((line) -> !line.contains(" for: ")))
			.containsExactlyElementsOf(real.stream().filter((line) -> !line.contains(" for: ")).toList());
	}

	/** A new alert needs a test in which real servers raise it. */
	@Test
	void eachAlertIsNamedInATestThatRaisesIt() throws IOException {
		StringBuilder tests = new StringBuilder();
		try (DirectoryStream<Path> files = Files.newDirectoryStream(TESTS, "*AlertsIntegrationTests.java")) {
			for (Path file : files) {
				tests.append(Files.readString(file));
			}
		}
		assertThat(AlertMonitor.alerts()).hasSizeGreaterThan(20)
			.allSatisfy((alert) -> assertThat(tests).contains("\"" + alert + "\""));
	}

}
