package io.parley.jmeter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.parley.packaged.ServerProcess;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs both plans at a small size against the real server.
 */
@Tag("exhaustive")
class JmeterIntegrationTests {

	@TempDir
	private static Path data;

	private static ServerProcess server;

	private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

	private final PrintStream console = System.out;

	@TempDir
	private Path reports;

	@BeforeAll
	static void start() throws Exception {
		System.setProperty("parley.home", "../..");
		server = new ServerProcess(data, "--chat.limits.sends-per-second=0", "--chat.security.registration=open")
			.start();
	}

	@AfterAll
	static void stop() throws InterruptedException {
		System.clearProperty("parley.home");
		server.close();
	}

	@BeforeEach
	void capture() {
		System.setOut(new PrintStream(this.printed, true, StandardCharsets.UTF_8));
	}

	@AfterEach
	void release() {
		System.setOut(this.console);
	}

	@Test
	void everyUserTakesTheSevenSteps() throws IOException {
		assertThat(run("--users", "20", "--ramp", "1", "--loops", "2")).as(output()).isZero();
		assertThat(output()).contains("PASSED: 20 users, 280 samples of 280, 0 errors")
			.containsPattern("open WebSocket +40 ")
			.containsPattern("read 2 +40 ")
			.containsPattern("close +40 ")
			.containsPattern("all +280 .* 0.00% ");
		try (Stream<Path> folders = Files.list(this.reports)) {
			assertThat(folders.toList()).singleElement()
				.satisfies((report) -> assertThat(report.resolve("index.html")).content()
					.contains("Apache JMeter Dashboard"));
		}
	}

	@Test
	void everyMessageIsConfirmed() {
		assertThat(run("--plan", "send", "--users", "20", "--ramp", "1", "--messages", "5", "--think", "0"))
			.as(output())
			.isZero();
		assertThat(output()).contains("PASSED: 20 users, 340 samples of 340, 0 errors")
			.containsPattern("SEND +100 ")
			.containsPattern("RECEIPT +100 ");
	}

	@Test
	void failsAndSaysWhereWhenTheServerTurnsAUserAway() {
		assertThat(run("--plain", "--users", "2", "--ramp", "0")).as(output()).isEqualTo(1);
		assertThat(output()).contains("2 × read 1: ", "FAILED: 2 users, 6 samples of 14, 2 errors");
	}

	@Test
	void onlyWritesTheUsersWhenAsked() throws IOException {
		Path csv = this.reports.resolve("users.csv");
		assertThat(run("--csv", csv.toString(), "--users", "11")).isZero();
		assertThat(Files.readAllLines(csv)).hasSize(2)
			.allSatisfy((line) -> assertThat(line).matches("Authorization:Bearer [\\w.-]+,[\\w-]+"));
	}

	private int run(String... arguments) {
		List<String> fixed = List.of("--url", server.url(), "--report", this.reports.toString());
		return JmeterCommand.commandLine()
			.execute(Stream.concat(fixed.stream(), Stream.of(arguments)).toArray(String[]::new));
	}

	private String output() {
		return this.printed.toString(StandardCharsets.UTF_8);
	}

}
