package io.parley.system;

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

	/**
	 * Plain stompjs follows the room in the same way, and shows that the faults are seen.
	 */
	@Test
	void ourClientsLoseNothingWhenConnectionsAreCut() throws Exception {
		Assumptions.assumeTrue(Files.exists(LOAD_TEST),
				"The load kit is not packaged; run 'mvn -pl loadtest/generator package' first");
		String[] kotlin = ClientPrograms.kotlin("TalkKt");
		Path project = Path.of("target/faulty-network/typescript").toAbsolutePath();
		Path environment = Path.of("target/faulty-network/python").toAbsolutePath();
		Path node = Path.of("target/faulty-network/node").toAbsolutePath();
		ClientPrograms.installTypeScript(project);
		ClientPrograms.installNode(node);
		String python = ClientPrograms.installPython(environment).toString();
		String program = ClientPrograms.copyPythonClient(environment, "talk.py").toString();
		String room = this.api.createRoom(this.api.login("alice", "demo"), "Faults", List.of("bob", "carol"));
		Path files = Files.createDirectories(server.directory().resolve("talks"));
		Path script = Files.write(files.resolve("script"), SCRIPT);
		Path plain = files.resolve("plain.jsonl");
		try (Proxy first = new Proxy(files, script, CUTS);
				Proxy second = new Proxy(files, script, CUTS);
				Proxy third = new Proxy(files, script, CUTS);
				Proxy fourth = new Proxy(files, script, CUTS);
				ChildCommand follower = ChildCommand.start(node, "node", "plain.mjs", fourth.url(), "alice", "demo",
						room, plain.toString());
				ChildCommand alice = talk(project, files, first, "alice", room, MESSAGES, "node", "out/talk.js");
				ChildCommand bob = talk(environment, files, second, "bob", room, MESSAGES, python, program);
				ChildCommand carol = talk(ClientPrograms.KOTLIN, files, third, "carol", room, MESSAGES, kotlin)) {
			follower.awaitLine("READY");
			alice.awaitLine("READY");
			bob.awaitLine("READY");
			carol.awaitLine("READY");
			server.kill9();
			server.start();
			assertTalked(alice, MESSAGES, CUTS);
			assertTalked(bob, MESSAGES, CUTS);
			// It does not tell of each one: its state shows the newest value only.
			assertTalked(carol, MESSAGES, 1);
			first.awaitAllCuts();
			second.awaitAllCuts();
			third.awaitAllCuts();
		}
		String[] clean = judge(room, "--sent", "alice/sent.jsonl", "bob/sent.jsonl", "carol/sent.jsonl", "--received",
				"alice/received.jsonl", "bob/received.jsonl", "carol/received.jsonl");
		String verdict = ChildCommand.run(files, clean);
		System.out.println(verdict);
		assertThat(verdict).contains("PASSED: nothing was lost, doubled, disordered or invented")
			.contains(String.format(Locale.ROOT, "with %,d messages in its history", 3 * MESSAGES))
			.doesNotContain("not accepted", "left out");
		try (ChildCommand judge = ChildCommand.start(files, judge(room, "--received", plain.toString()))) {
			String verdictOfPlain = judge.awaitFailure(1);
			System.out.println(verdictOfPlain);
			assertThat(verdictOfPlain).contains("LOST in");
		}
	}

	private static String[] judge(String room, String... files) {
		return Stream
			.concat(Stream.of(loadTest("judge", "--url", server.url().toString(), "--room", room)), Stream.of(files))
			.toArray(String[]::new);
	}

	private static void assertTalked(ChildCommand talk, int messages, int losses) throws Exception {
		String output = talk.awaitSuccess(LIMIT);
		JsonNode result = ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
		assertThat(result.path("accepted").intValue()).as(output).isEqualTo(messages);
		assertThat(result.path("losses").intValue()).as(output).isGreaterThanOrEqualTo(losses);
		assertThat(result.path("refused")).as(output).isEmpty();
	}

	private static ChildCommand talk(Path directory, Path files, Proxy proxy, String user, String room, int messages,
			String... program) throws Exception {
		Path folder = Files.createDirectories(files.resolve(user));
		Stream<String> arguments = Stream.of(proxy.url(), user, "demo", room, String.valueOf(messages),
				String.valueOf(3 * MESSAGES), folder.toString());
		return ChildCommand.start(directory, IMPATIENT,
				Stream.concat(Stream.of(program), arguments).toArray(String[]::new));
	}

	private static String[] loadTest(String... arguments) {
		Stream<String> java = Stream.of(System.getProperty("java.home") + "/bin/java", "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", LOAD_TEST.toString());
		return Stream.concat(java, Stream.of(arguments)).toArray(String[]::new);
	}

	/** A proxy of the fault kit in front of the server. */
	private static final class Proxy implements AutoCloseable {

		private final int port = FreePorts.next();

		private final int cuts;

		private final ChildCommand command;

		Proxy(Path directory, Path script, int cuts) throws Exception {
			this.cuts = cuts;
			this.command = ChildCommand.start(directory,
					loadTest("faults", "--listen", String.valueOf(this.port), "--to", String.valueOf(server.port()),
							"--script", script.toString(), "--cuts", String.valueOf(cuts), "--seed", "1"));
			this.command.awaitLine("faults: listening on port %d, forwarding to 127.0.0.1:%d, seed 1 (Ctrl-C ends it)"
				.formatted(this.port, server.port()));
		}

		String url() {
			return "http://127.0.0.1:" + this.port;
		}

		void awaitAllCuts() {
			this.command.awaitLine(String.format(Locale.ROOT,
					"faults: all %,d cuts are done: connections are forwarded without faults until the end",
					this.cuts));
		}

		@Override
		public void close() throws Exception {
			this.command.close();
		}

	}

}
