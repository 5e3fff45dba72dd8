package io.parley.loadtest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The finished load kit against the finished chat-server: is it all there, not how fast.
 */
class StudiesIntegrationTests {

	private static final Path CHECKOUT = Path.of("..", "..").toAbsolutePath().normalize();

	private static final int MOST_MINUTES = 10;

	@TempDir
	private Path folder;

	@Test
	void comparesParleyWithRmiAndLosesNothing() throws Exception {
		String printed = run("transports", "--only", "rmi,bus", "--scale", "0.02", "--experiments",
				"capacity,broadcast");
		assertThat(printed).contains("Parley bus")
			.containsPattern("of [1-9][0-9,]* deliveries of Parley nothing was missing, doubled or out of order");
	}

	@Test
	void letsNoMoreIntoARoomThanItHolds() throws Exception {
		String printed = run("contention", "--only", "parley", "--users", "8", "--places", "3", "--runs", "3",
				"--dropped", "1");
		assertThat(printed).contains("3 joined, 5 found it full, 0 errors")
			.contains("in 24 requests capacity was never exceeded and no join was lost");
	}

	@Test
	void readsTheHistoryWithoutAPool() throws Exception {
		String printed = run("pooling", "--users", "3", "--duration", "1s", "--warmup", "0s", "--messages", "5",
				"--limit", "3", "--only-without");
		assertThat(printed).containsPattern("without pool, +3 users:")
			.containsPattern("[1-9][0-9,]* answers were right, 0 not");
	}

	/** Runs a study to its end, which must be a good one, and answers what it printed. */
	private String run(String... arguments) throws IOException, InterruptedException {
		Path output = this.folder.resolve("output");
		List<String> command = new ArrayList<>(List.of(
				Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
				"-Dparley.home=" + CHECKOUT, "-jar", CHECKOUT.resolve("loadtest/target/loadtest.jar").toString()));
		command.addAll(List.of(arguments));
		command.addAll(List.of("--report", this.folder.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(process.waitFor(MOST_MINUTES, TimeUnit.MINUTES)).as(Files.readString(output)).isTrue();
		}
		finally {
			process.destroy();
		}
		String printed = Files.readString(output);
		assertThat(process.exitValue()).as(printed).isZero();
		return printed;
	}

}
