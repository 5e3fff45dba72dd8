package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.log.FreePorts;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The release archive, unpacked in a directory without sources, with a path on which
 * there is no Java.
 */
@Tag("exhaustive")
class ArchiveIntegrationTests {

	private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

	private static final long MAX_BYTES = 250L << 20;

	@TempDir
	static Path folder;

	private static Path home;

	private final int port = FreePorts.next();

	private final int managementPort = FreePorts.next();

	private @Nullable Process server;

	@BeforeAll
	static void unpack() throws Exception {
		Path sources = Files.createDirectory(folder.resolve("sources"));
		CheckoutCopy checkout = CheckoutCopy.in(sources);
		Files.copy(ROOT.resolve("pom.xml"), sources.resolve("pom.xml"), StandardCopyOption.REPLACE_EXISTING);
		Files.setLastModifiedTime(sources.resolve("pom.xml"), FileTime.fromMillis(0));
		for (String name : List.of("README.md", "CHANGELOG.md", "LICENSE", "SECURITY.md", "docs", "deploy")) {
			Files.createSymbolicLink(sources.resolve(name), ROOT.resolve(name));
		}
		Process archive = checkout.command(List.of("archive")).start();
		String output = new String(archive.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(archive.waitFor()).as(output).isZero();
		Path made = only(sources.resolve("target"), "parley-*.tar.gz");
		assertThat(Files.size(made)).isLessThan(MAX_BYTES);
		// Elsewhere than it was made, under a name with a space.
		Path target = Files.createDirectory(folder.resolve("un packed"));
		Process tar = new ProcessBuilder("tar", "-xzf", made.toString(), "-C", target.toString()).inheritIO().start();
		assertThat(tar.waitFor()).isZero();
		home = only(target, "parley-*");
	}

	private static Path only(Path directory, String pattern) throws IOException {
		try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, pattern)) {
			return files.iterator().next();
		}
	}

	@AfterEach
	void stop() throws InterruptedException {
		if (this.server != null) {
			this.server.destroyForcibly().waitFor();
		}
	}

	@Test
	void servesKeepsAndAnswersOperators() throws Exception {
		Process first = start();
		ChatApi api = new ChatApi(url());
		String alice = api.login("alice", "demo");
		String room = api.createRoom(alice, "Kept", List.of("bob"));
		api.post(alice, room, "c1", "kept over kill -9");
		first.destroyForcibly().waitFor();
		start();
		assertThat(api.history(api.login("bob", "demo"), room)).last()
			.satisfies((event) -> assertThat(event.path("text").asString()).isEqualTo("kept over kill -9"));
		assertThat(chat("admin", "rooms", "--search", "kept")).contains(room, "Kept");
		assertThat(Files.readString(folder.resolve("output"))).doesNotContain("[warning]", "[error]");
	}

	@Test
	void usesItsRuntimeAndItsCache() throws Exception {
		Process running = start();
		assertThat(Path.of(running.info().command().orElseThrow()).toRealPath())
			.isEqualTo(home.resolve("runtime/bin/java").toRealPath());
		String maps = Files.readString(Path.of("/proc/" + running.pid() + "/maps"));
		assertThat(maps).contains(home.resolve("chat-server/target/quick-start/app.aot").toString());
	}

	@Test
	void namesWhatNeedsTheSources() throws Exception {
		for (String command : List.of("test", "up", "down", "archive")) {
			assertThat(chat(command))
				.isEqualTo("chat: \"" + command + "\" needs the sources: use it in a clone of the repository.\n");
		}
		assertThat(chat("loadtest", "capacity")).startsWith("chat: \"loadtest capacity\" needs the sources");
		assertThat(chat("loadtest", "--help")).contains("pubsub", "Usage: ").doesNotContain("contention");
		assertThat(chat("loadtest", "idle", "--help")).contains("--sessions");
		assertThat(chat("help")).contains("Usage: ./chat <command>");
	}

	/** Starts the server and waits until it is ready. */
	private Process start() throws IOException {
		Process started = builder("bin/chat", "run").redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("output").toFile()))
			.start();
		this.server = started;
		Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly));
		HttpRequest ready = HttpRequest.newBuilder(url().resolve("/readyz")).timeout(Duration.ofSeconds(5)).build();
		try (HttpClient client = HttpClient.newHttpClient()) {
			Awaitility.await()
				.atMost(Duration.ofMinutes(10))
				.failFast("the server ended", () -> !started.isAlive())
				.ignoreExceptions()
				.until(() -> client.send(ready, BodyHandlers.discarding()).statusCode() == 200);
		}
		return started;
	}

	private URI url() {
		return URI.create("http://127.0.0.1:" + this.port);
	}

	/** Returns the output of a command. */
	private String chat(String... arguments) throws Exception {
		Process process = builder("bin/chat", arguments).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		process.waitFor();
		return output;
	}

	private ProcessBuilder builder(String program, String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(home.resolve(program).toString()));
		command.addAll(List.of(arguments));
		ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
		builder.environment().clear();
		builder.environment()
			.putAll(Map.of("PATH", withoutJava(), "CHAT_PORT", String.valueOf(this.port), "MANAGEMENT_SERVER_PORT",
					String.valueOf(this.managementPort), "CHAT_URL", url().toString()));
		return builder;
	}

	/** Returns a path with the programs of the system except Java. */
	private static String withoutJava() throws IOException {
		Path programs = folder.resolve("programs");
		if (Files.notExists(programs)) {
			Files.createDirectory(programs);
			for (String program : List.of("bash", "sh", "env", "dirname", "readlink", "cmp", "uname", "cat", "tr")) {
				Path found = Path.of("/usr/bin", program);
				Files.createSymbolicLink(programs.resolve(program),
						Files.exists(found) ? found : Path.of("/bin", program));
			}
		}
		return programs.toString();
	}

}
