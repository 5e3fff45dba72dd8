package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.log.FreePorts;
import io.parley.log.SigningKey;
import io.parley.packaged.PackagedServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The packaged server as a child process, in its own directory that survives restarts. As
 * a JUnit extension in an instance field it ends the process after each test. In a static
 * field it starts the process before all tests of the class and ends it after them. It
 * prints the output of the process when a test has failed and deletes the directory when
 * all have passed.
 */
public final class ChatServerProcess implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {

	private static final int LINES_SHOWN = 200;

	/** A start takes 3 s on an idle machine, and took 3 minutes at a load of 23. */
	private static final Duration START_LIMIT = Duration.ofMinutes(10);

	private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private final Path directory;

	private final int port = FreePorts.next();

	private final int managementPort = FreePorts.next();

	private final List<String> jvmOptions = new ArrayList<>(PackagedServer.QUICK_OPTIONS);

	private final List<String> arguments;

	private @Nullable Process process;

	private boolean asUsersStartIt;

	private boolean perClass;

	private boolean failed;

	/**
	 * Creates a server with a new directory.
	 * @param arguments settings of the server in addition to the demo profile and its
	 * ports
	 */
	public ChatServerProcess(String... arguments) {
		this(newDirectory(), arguments);
	}

	/** Creates a server on the data of another one. */
	ChatServerProcess(Path directory, String... arguments) {
		this.directory = directory;
		this.arguments = new ArrayList<>(List.of(arguments));
	}

	/** Adds settings, which the next start uses. */
	public ChatServerProcess with(String... arguments) {
		this.arguments.addAll(List.of(arguments));
		return this;
	}

	/** Uses these JVM options, as in production, instead of those for a quick start. */
	public ChatServerProcess withJvmOptions(String... options) {
		this.jvmOptions.clear();
		this.jvmOptions.addAll(List.of(options));
		return this;
	}

	/** Starts the original jar instead of the copy extracted for quick starts. */
	ChatServerProcess asUsersStartIt() {
		this.asUsersStartIt = true;
		return this;
	}

	/** Starts the server and waits until it is ready. */
	public ChatServerProcess start() throws IOException {
		Process started = launch();
		Awaitility.await("the server to be ready")
			.atMost(START_LIMIT)
			.pollInterval(Duration.ofMillis(50))
			.failFast("the server ended while it started", () -> !started.isAlive())
			.until(this::isReady);
		return this;
	}

	/** Starts the server without waiting. */
	Process launch() throws IOException {
		if (!this.asUsersStartIt) {
			SigningKey.writeTo(this.directory.resolve("data/keys"));
		}
		List<String> command = new ArrayList<>(program());
		command.addAll(List.of("--spring.profiles.active=demo", "--server.port=" + this.port,
				"--management.server.port=" + this.managementPort));
		command.addAll(this.arguments);
		ProcessBuilder builder = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
		// A busy machine does not reach this.
		builder.environment().put("CHAT_DATABASE_TIMEOUT", "10s");
		Process started = builder.start();
		// An aborted test run leaves no server behind.
		Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
		this.process = started;
		return started;
	}

	private List<String> program() {
		if (!this.asUsersStartIt) {
			return PackagedServer.get().command(this.jvmOptions);
		}
		List<String> command = new ArrayList<>(List.of(System.getProperty("java.home") + "/bin/java"));
		command.addAll(this.jvmOptions);
		command.addAll(List.of("-jar", PackagedServer.jar().toString()));
		return command;
	}

	private boolean isReady() throws InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(url().resolve("/readyz")).timeout(Duration.ofSeconds(5)).build();
		try {
			return HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200;
		}
		catch (IOException ex) {
			return false;
		}
	}

	/** Sends SIGKILL, so the process cannot do anything more. */
	public void kill9() throws InterruptedException {
		Process running = process();
		running.destroyForcibly();
		assertThat(running.waitFor(10, TimeUnit.SECONDS)).as("killed").isTrue();
	}

	/** Suspends the process: its connections stay open, and it does nothing. */
	void pause() throws IOException, InterruptedException {
		ChildCommand.run(this.directory, "kill", "-STOP", String.valueOf(process().pid()));
	}

	/** Continues after {@link #pause}. */
	void unpause() throws IOException, InterruptedException {
		ChildCommand.run(this.directory, "kill", "-CONT", String.valueOf(process().pid()));
	}

	/**
	 * Sends SIGTERM and checks that the server exits and leaves no processes or ports
	 * behind.
	 */
	void stop() throws InterruptedException {
		Process running = process();
		List<ProcessHandle> children = running.descendants().toList();
		running.destroy();
		assertThat(running.waitFor(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)).as("ended by SIGTERM").isTrue();
		assertThat(running.exitValue()).as("exit code after SIGTERM").isEqualTo(128 + 15);
		assertThat(children).as("children left behind").noneMatch(ProcessHandle::isAlive);
		assertThat(FreePorts.isFree(this.port)).as("port free again").isTrue();
		assertThat(FreePorts.isFree(this.managementPort)).as("management port free again").isTrue();
	}

	public URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/** Returns the address of metrics and health. */
	public URI managementUrl() {
		return URI.create("http://127.0.0.1:" + this.managementPort);
	}

	int port() {
		return this.port;
	}

	public Path directory() {
		return this.directory;
	}

	public Process process() {
		assertThat(this.process).as("a started server").isNotNull();
		return this.process;
	}

	/** Returns the output of all runs. */
	public String output() throws IOException {
		return Files.exists(log()) ? Files.readString(log()) : "";
	}

	@Override
	public void beforeAll(ExtensionContext tests) throws IOException {
		this.perClass = true;
		start();
	}

	@Override
	public void afterEach(ExtensionContext test) throws Exception {
		if (test.getExecutionException().isPresent()) {
			fail();
		}
		if (!this.perClass) {
			end();
		}
	}

	@Override
	public void afterAll(ExtensionContext tests) throws Exception {
		end();
	}

	private void end() throws Exception {
		if (this.process != null && this.process.isAlive()) {
			kill9();
		}
		if (!this.failed) {
			FileSystemUtils.deleteRecursively(this.directory);
		}
	}

	/** Prints the last output of the process and keeps the directory. */
	public void fail() throws IOException {
		this.failed = true;
		List<String> lines = output().lines().toList();
		System.out.println("The last output of the server (complete output in " + log() + "):");
		lines.subList(Math.max(0, lines.size() - LINES_SHOWN), lines.size()).forEach(System.out::println);
	}

	private Path log() {
		return this.directory.resolve("server-" + this.port + ".log");
	}

	private static Path newDirectory() {
		try {
			Path parent = Files.createDirectories(Path.of("target/system-tests").toAbsolutePath());
			return Files.createTempDirectory(parent, "server-");
		}
		catch (IOException ex) {
			throw new java.io.UncheckedIOException(ex);
		}
	}

}
