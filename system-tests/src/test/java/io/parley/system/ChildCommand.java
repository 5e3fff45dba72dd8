package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;

import static org.assertj.core.api.Assertions.assertThat;

/** A program started by a test, with its output. */
final class ChildCommand implements AutoCloseable {

	private static final Duration LIMIT = Duration.ofMinutes(5);

	private final List<String> command;

	private final Path output;

	private final Process process;

	private ChildCommand(Path directory, Map<String, String> environment, List<String> command) throws IOException {
		this.command = command;
		this.output = Files.createTempFile("child", ".log");
		ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(this.output.toFile());
		builder.environment().putAll(environment);
		this.process = builder.start();
	}

	static ChildCommand start(Path directory, String... command) throws IOException {
		return start(directory, Map.of(), command);
	}

	/** Starts a program with more variables in its environment. */
	static ChildCommand start(Path directory, Map<String, String> environment, String... command) throws IOException {
		return new ChildCommand(directory, environment, List.of(command));
	}

	/** Runs a program until it exits successfully and returns its output. */
	static String run(Path directory, String... command) throws IOException, InterruptedException {
		try (ChildCommand child = start(directory, command)) {
			return child.awaitSuccess();
		}
	}

	/** Skips the test if the program is not installed. */
	static void assumeInstalled(String program, String reason) throws InterruptedException {
		try {
			assertThat(new ProcessBuilder(program, "--version").start().waitFor()).isZero();
		}
		catch (IOException ex) {
			Assumptions.abort("'" + program + "' is not installed; " + reason);
		}
	}

	void awaitLine(String line) {
		Awaitility.await("'" + line + "' from " + this.command)
			.atMost(LIMIT)
			.failFast(() -> assertThat(this.process.isAlive()).as(this::describe).isTrue())
			.until(() -> output().lines().anyMatch(line::equals));
	}

	String awaitSuccess() throws IOException, InterruptedException {
		return awaitSuccess(LIMIT);
	}

	String awaitSuccess(Duration limit) throws IOException, InterruptedException {
		assertThat(this.process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)).as(this::describe).isTrue();
		assertThat(this.process.exitValue()).as(this::describe).isZero();
		return output();
	}

	/** Waits until the program exits by this code and returns its output. */
	String awaitFailure(int code) throws IOException, InterruptedException {
		assertThat(this.process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)).as(this::describe).isTrue();
		assertThat(this.process.exitValue()).as(this::describe).isEqualTo(code);
		return output();
	}

	private String output() throws IOException {
		return Files.readString(this.output);
	}

	private String describe() {
		try {
			return String.join(" ", this.command) + " printed:\n" + output();
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	@Override
	public void close() throws IOException {
		this.process.destroyForcibly();
		Files.deleteIfExists(this.output);
	}

}
