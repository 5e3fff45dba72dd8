package io.parley.system;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.log.FreePorts;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Our clients talk to each other, each behind a proxy of the fault kit that cuts its
 * connections again and again. Meanwhile the server is killed. The judge of the kit finds
 * nothing lost, doubled, out of order or invented.
 */
@Tag("exhaustive")
class FaultyNetworkIntegrationTests {

	private static final Path LOAD_TEST = Path.of("../loadtest/generator/target/loadtest-generator-exec.jar")
		.toAbsolutePath()
		.normalize();

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	/** Cuts of each client. */
	private static final int CUTS = Integer.getInteger("parley.test.cuts", FULL_SIZE ? 1_000 : 40);

	/** Messages that each client sends. A message is about four frames to the client. */
	private static final int MESSAGES = 10 * CUTS;

	private static final Duration LIMIT = Duration.ofMinutes(FULL_SIZE ? 40 : 10);

	/** Only the WebSocket is broken. Both programs begin with a request over HTTP. */
	private static final List<String> SCRIPT = List.of("after 10..60 frames to client cut",
			"after 10..90 frames to client cut-inside to client", "after 5..60 frames to server cut-inside to server",
			"after 10..60 frames to client swallow-receipt", "after 20..80 frames to client close with 1013",
			"after 20..80 frames to client close with 4401", "after 40..80 frames to client half-open for 1s",
			"after 40..80 frames to client answer-503 for 300ms",
			"after 10..40 frames to client trickle to client for 200ms", "after 1..2 frames to server stale-after",
			"after 40..80 frames to client refuse for 300ms", "every 15..40 frames to client omit",
			"every 15..40 frames to client repeat", "every 15..40 frames to client delay by 1ms..20ms for 100ms");

	/** The programs do not wait for long, so that there are many connections. */
	private static final Map<String, String> IMPATIENT = Map.of("TALK_INTERVAL_MS", "5", "TALK_RECONNECT_MS", "50");

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(server.url());

	@Test
	void ourClientsLoseNothingWhenConnectionsAreCut() throws Exception {
		Assumptions.assumeTrue(Files.exists(LOAD_TEST),
				"The load kit is not packaged; run 'mvn -pl loadtest/generator package' first");
		Path project = Path.of("target/faulty-network/typescript").toAbsolutePath();
		Path environment = Path.of("target/faulty-network/python").toAbsolutePath();
		ClientPrograms.installTypeScript(project);
		String python = ClientPrograms.installPython(environment).toString();
		String program = ClientPrograms.copyPythonClient(environment, "talk.py").toString();
		String room = this.api.createRoom(this.api.login("alice", "demo"), "Faults", List.of("bob"));
		Path files = Files.createDirectories(server.directory().resolve("talks"));
		Path script = Files.write(files.resolve("script"), SCRIPT);
		int first = FreePorts.next();
		int second = FreePorts.next();
		try (ChildCommand firstProxy = proxy(files, script, first);
				ChildCommand secondProxy = proxy(files, script, second);
				ChildCommand alice = talk(project, files, first, "alice", room, "node", "out/talk.js");
				ChildCommand bob = talk(environment, files, second, "bob", room, python, program)) {
			alice.awaitLine("READY");
			bob.awaitLine("READY");
			server.kill9();
			server.start();
			assertTalked(alice.awaitSuccess(LIMIT));
			assertTalked(bob.awaitSuccess(LIMIT));
			String done = String.format(Locale.ROOT,
					"faults: all %,d cuts are done: connections are forwarded without faults until the end", CUTS);
			firstProxy.awaitLine(done);
			secondProxy.awaitLine(done);
		}
		String verdict = ChildCommand.run(files,
				loadTest("judge", "--url", server.url().toString(), "--room", room, "--sent", "alice/sent.jsonl",
						"bob/sent.jsonl", "--received", "alice/received.jsonl", "bob/received.jsonl"));
		System.out.println(verdict);
		assertThat(verdict).contains("PASSED: nothing was lost, doubled, disordered or invented")
			.contains(String.format(Locale.ROOT, "with %,d messages in its history", 2 * MESSAGES))
			.doesNotContain("not accepted", "left out");
	}

	private static void assertTalked(String output) {
		JsonNode result = ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
		assertThat(result.path("accepted").intValue()).as(output).isEqualTo(MESSAGES);
		assertThat(result.path("losses").intValue()).as(output).isGreaterThanOrEqualTo(CUTS);
		assertThat(result.path("refused")).as(output).isEmpty();
	}

	private static ChildCommand proxy(Path directory, Path script, int port) throws Exception {
		ChildCommand proxy = ChildCommand.start(directory,
				loadTest("faults", "--listen", String.valueOf(port), "--to", String.valueOf(server.port()), "--script",
						script.toString(), "--cuts", String.valueOf(CUTS), "--seed", "1"));
		proxy.awaitLine("faults: listening on port %d, forwarding to 127.0.0.1:%d, seed 1 (Ctrl-C ends it)"
			.formatted(port, server.port()));
		return proxy;
	}

	private static ChildCommand talk(Path directory, Path files, int port, String user, String room, String... program)
			throws Exception {
		Path folder = Files.createDirectories(files.resolve(user));
		Stream<String> arguments = Stream.of(URI.create("http://127.0.0.1:" + port).toString(), user, "demo", room,
				String.valueOf(MESSAGES), String.valueOf(2 * MESSAGES), folder.toString());
		return ChildCommand.start(directory, IMPATIENT,
				Stream.concat(Stream.of(program), arguments).toArray(String[]::new));
	}

	private static String[] loadTest(String... arguments) {
		Stream<String> java = Stream.of(System.getProperty("java.home") + "/bin/java", "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", LOAD_TEST.toString());
		return Stream.concat(java, Stream.of(arguments)).toArray(String[]::new);
	}

}
