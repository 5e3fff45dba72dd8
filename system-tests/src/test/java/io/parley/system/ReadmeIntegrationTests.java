package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.parley.log.FreePorts;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the commands of the README, with free ports and small numbers. */
class ReadmeIntegrationTests {

	private static final Path README = Path.of("../README.md");

	private static final Pattern COMMAND = Pattern.compile("\\./chat [^`\\n\\]]+");

	private static final String RUN = "./chat run";

	private static final String BASELINE = "./chat loadtest baseline --port 8081";

	private static final String IDLE_PLAIN = "./chat loadtest idle --plain --url http://127.0.0.1:8081"
			+ " --sessions 200 --rooms 10 --rate 100 --warmup 20s";

	/** Commands of the README that print something and end. */
	private static final Set<String> SHORT = Set.of("./chat help");

	/**
	 * Commands that start containers, Maven or JMeter, or need a room or an operator.
	 */
	private static final Set<String> LEFT_OUT = Set.of("./chat test", "./chat up", "./chat push-log", "./chat users",
			"./chat audit", "./chat loadtest jmeter", "./chat archive");

	private static final Map<String, String> SMALL = Map.of("--sessions 200", "--sessions 20", "--rooms 10",
			"--rooms 2", "--rate 100", "--rate 10", "--warmup 20s", "--warmup 1s --hold 2s");

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final Duration START_LIMIT = Duration.ofMinutes(5);

	private static final Duration END_LIMIT = Duration.ofMinutes(3);

	private Path directory;

	private final List<Process> started = new ArrayList<>();

	private CheckoutCopy checkout;

	@BeforeEach
	void copyTheCheckout() throws IOException {
		Path parent = Files.createDirectories(Path.of("target/system-tests").toAbsolutePath());
		this.directory = Files.createTempDirectory(parent, "checkout-");
		this.checkout = CheckoutCopy.in(this.directory);
	}

	@AfterEach
	void endAll() throws Exception {
		for (Process process : this.started) {
			process.destroyForcibly();
			process.waitFor();
		}
		// Links are deleted, and not what they refer to.
		FileSystemUtils.deleteRecursively(this.directory);
	}

	@Test
	void coversEachCommand() throws IOException {
		Set<String> commands = COMMAND.matcher(Files.readString(README))
			.results()
			.map((match) -> match.group().strip())
			.collect(Collectors.toCollection(TreeSet::new));
		Set<String> covered = Stream.of(Set.of(RUN, BASELINE, IDLE_PLAIN), SHORT, LEFT_OUT)
			.flatMap(Set::stream)
			.collect(Collectors.toSet());
		assertThat(commands).isEqualTo(covered);
	}

	@ParameterizedTest
	@ValueSource(strings = { "help", "loadtest --help", "loadtest idle --help", "push-log --help", "users --help",
			"audit --help", "admin --help" })
	void printsHelp(String arguments) throws Exception {
		assertThat(finish(arguments)).contains("Usage: ").doesNotContain("chat: building", "\tat ");
	}

	@Test
	void startsTheServerAndMeasuresIt() throws Exception {
		int port = FreePorts.next();
		Process server = run(port, FreePorts.next());
		URI url = URI.create("http://127.0.0.1:" + port);
		awaitAnswer(server, url.resolve("/readyz"));
		assertThat(new ChatApi(url).login("alice", "demo")).isNotEmpty();
		Process post = new ProcessBuilder("bash", "-c", printedPost(server)).redirectErrorStream(true).start();
		assertThat(new String(post.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).contains("\"position\":");
		assertThat(finish(small(IDLE_PLAIN.replace(" --plain", ""), port))).contains("PASSED");
		server.destroy();
		assertThat(server.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)).as("ended by SIGTERM").isTrue();
		assertThat(FreePorts.isFree(port)).as("port free again").isTrue();
		assertThat(this.directory.resolve("data")).as("the data of the server").isDirectory();
		assertThat(output(server)).contains("sign in as alice / demo").doesNotContain("chat: building", "\tat ");
	}

	@Test
	@Tag("exhaustive")
	void theThirdStartAfterABuildIsQuick() throws Exception {
		Path quickStart = this.directory.resolve("chat-server/target/quick-start");
		FileSystemUtils.deleteRecursively(quickStart);
		assertThat(optionsOfAStart(quickStart.resolve("started"))).doesNotContain("-XX:AOTCache");
		assertThat(optionsOfAStart(quickStart.resolve("app.aot"))).doesNotContain("-XX:AOTCache");
		assertThat(optionsOfAStart(quickStart.resolve("app.aot"))).contains("-XX:AOTCache");
		FileSystemUtils.deleteRecursively(quickStart);
	}

	/**
	 * Starts the server, and ends it when a file exists. Its database is locked, so the
	 * server that prepares the quick start fails if it uses the same settings.
	 */
	private String optionsOfAStart(Path file) throws Exception {
		int port = FreePorts.next();
		Process server = start(words(RUN),
				Map.of("CHAT_PORT", String.valueOf(port), "MANAGEMENT_SERVER_PORT", String.valueOf(FreePorts.next()),
						"CHAT_QUICK_START", "true", "SPRING_DATASOURCE_URL",
						"jdbc:h2:file:" + this.directory + "/own/parley;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE"));
		awaitAnswer(server, URI.create("http://127.0.0.1:" + port + "/readyz"));
		Awaitility.await().atMost(START_LIMIT).until(() -> Files.exists(file));
		String options = server.toHandle().info().commandLine().orElseThrow();
		server.destroy();
		assertThat(server.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS)).as("ended by SIGTERM").isTrue();
		return options;
	}

	@Test
	@Tag("exhaustive")
	void startsTheBaselineAndMeasuresIt() throws Exception {
		int port = FreePorts.next();
		Process baseline = start(words(BASELINE.replace("8081", String.valueOf(port))), Map.of());
		awaitAnswer(baseline, URI.create("http://127.0.0.1:" + port));
		assertThat(finish(small(IDLE_PLAIN, port))).contains("PASSED");
	}

	/** Returns the command that the server prints when it is ready. */
	private String printedPost(Process server) {
		Pattern line = Pattern.compile("Post as alice: (curl .*)");
		return Awaitility.await().until(() -> line.matcher(output(server)), Matcher::find).group(1);
	}

	private static String small(String command, int port) {
		String small = command.replace("8081", String.valueOf(port));
		for (Map.Entry<String, String> number : SMALL.entrySet()) {
			assertThat(small).contains(number.getKey());
			small = small.replace(number.getKey(), number.getValue());
		}
		return small;
	}

	private Process run(int port, int managementPort) throws IOException {
		return start(words(RUN),
				Map.of("CHAT_PORT", String.valueOf(port), "MANAGEMENT_SERVER_PORT", String.valueOf(managementPort)));
	}

	private String finish(String command) throws Exception {
		Process process = start(words(command), Map.of());
		boolean ended = process.waitFor(END_LIMIT.toSeconds(), TimeUnit.SECONDS);
		String output = output(process);
		assertThat(ended).as(output).isTrue();
		assertThat(process.exitValue()).as(output).isZero();
		return output;
	}

	private Process start(List<String> arguments, Map<String, String> environment) throws IOException {
		ProcessBuilder command = this.checkout.command(arguments);
		command.environment().put("CHAT_QUICK_START", "false");
		command.environment().putAll(environment);
		// The same options as other tests: they start faster.
		command.environment().put("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
		command.redirectOutput(log(this.started.size()).toFile());
		Process process = command.start();
		// An aborted test run leaves no server behind.
		Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
		this.started.add(process);
		return process;
	}

	/** Waits until a server answers, even if it has no page at this address. */
	private void awaitAnswer(Process process, URI address) {
		HttpRequest request = HttpRequest.newBuilder(address).timeout(Duration.ofSeconds(5)).build();
		Awaitility.await(address + " to answer")
			.atMost(START_LIMIT)
			.pollInterval(Duration.ofMillis(200))
			.ignoreExceptionsInstanceOf(IOException.class)
			.failFast(() -> assertThat(process.isAlive()).as(output(process)).isTrue())
			.until(() -> HTTP.send(request, BodyHandlers.discarding()).statusCode() < 500);
	}

	private String output(Process process) throws IOException {
		return Files.readString(log(this.started.indexOf(process)));
	}

	private Path log(int number) {
		return this.directory.resolve("command-" + number + ".log");
	}

	private static List<String> words(String command) {
		return Arrays.asList(command.replace("./chat ", "").split(" "));
	}

}
