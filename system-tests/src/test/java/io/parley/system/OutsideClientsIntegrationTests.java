package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Clients that nobody here wrote, and the client of the page outside of a browser. */
class OutsideClientsIntegrationTests {

	private static final Path NODE = Path.of("target/node").toAbsolutePath();

	private static final Path VENV = Path.of("target/python-venv").toAbsolutePath();

	/** As many messages as chat-client.mjs sends for each user. */
	private static final int MESSAGES = 200;

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(this.server.url());

	@Test
	void stompjsSendsAndResumesAfterACut() throws Exception {
		prepareNode();
		this.server.start();
		JsonNode result = lastLine(ChildCommand.run(NODE, "node", "stompjs.mjs", this.server.url().toString(), "alice",
				"demo", newRoom()));
		assertSentAndResumed(result, "alice");
		assertThat(result.path("disconnected").booleanValue()).as("RECEIPT of DISCONNECT").isTrue();
	}

	@Test
	void stompPySendsAndResumesAfterACut() throws Exception {
		Path python = preparePython();
		this.server.start();
		String script = Path.of("src/test/python/stomp_py.py").toAbsolutePath().toString();
		JsonNode result = lastLine(ChildCommand.run(VENV, python.toString(), script, this.server.url().toString(),
				"bob", "demo", newRoom()));
		assertSentAndResumed(result, "bob");
		assertThat(strings(result.path("receipts"))).contains("goodbye");
	}

	@Test
	void clientOfThePageLosesNothingWhenTheServerIsKilled() throws Exception {
		prepareNode();
		this.server.start();
		String room = newRoom();
		try (ChildCommand talk = ChildCommand.start(NODE, "node", "chat-client.mjs", this.server.url().toString(),
				"demo", "alice", "bob", room)) {
			talk.awaitLine("READY");
			this.server.kill9();
			this.server.start();
			JsonNode talkers = lastLine(talk.awaitSuccess());
			assertThat(talkers).hasSize(2);
			List<String> history = this.api.history(this.api.login("alice", "demo"), room)
				.stream()
				.filter((event) -> event.path("type").asString().equals("message.posted"))
				.map((event) -> event.path("text").asString())
				.toList();
			assertThat(history).hasSize(2 * MESSAGES).doesNotHaveDuplicates();
			talkers.forEach((talker) -> assertTalked(talker, history));
		}
	}

	private static void assertSentAndResumed(JsonNode result, String user) {
		assertThat(result.path("userName").asString()).isEqualTo(user);
		assertThat(strings(result.path("texts"))).containsExactly("one", "two", "three", "four", "five", "six – ü 😀");
		assertThat(strings(result.path("receipts"))).contains("subscribed-1", "receipt-one", "receipt-two",
				"receipt-three", "subscribed-2", "receipt-six – ü 😀");
		assertThat(result.path("recovered")).as("recovered").hasSize(2).allMatch(JsonNode::booleanValue);
		assertThat(result.path("duplicates").intValue()).isZero();
		assertThat(result.path("errors")).isEmpty();
	}

	private static void assertTalked(JsonNode talker, List<String> history) {
		String user = talker.path("user").asString();
		assertThat(talker.path("failed")).as("%s could not send", user).isEmpty();
		assertThat(talker.path("acknowledged").intValue()).isEqualTo(MESSAGES);
		assertThat(talker.path("pending").intValue()).isZero();
		assertThat(talker.path("losses").intValue()).as("%s lost the connection", user).isPositive();
		assertThat(talker.path("resets").intValue()).as("%s began anew", user).isOne();
		assertThat(strings(talker.path("texts"))).as("what %s saw", user)
			.filteredOn((text) -> !text.isEmpty())
			.isEqualTo(history);
		assertThat(history.stream().filter((text) -> text.startsWith(user))).as("what %s said", user)
			.containsExactlyElementsOf(IntStream.range(0, MESSAGES).mapToObj((i) -> user + " " + i).toList());
	}

	private String newRoom() {
		return this.api.createRoom(this.api.login("alice", "demo"), "Outside", List.of("bob"));
	}

	private static void prepareNode() throws IOException, InterruptedException {
		ChildCommand.assumeInstalled("node", "install Node 20 or newer to run this test");
		ChildCommand.assumeInstalled("npm", "install npm to run this test");
		FileSystemUtils.copyRecursively(Path.of("src/test/node"), NODE);
		FileSystemUtils.copyRecursively(Path.of("../chat-server/src/main/resources/static/client"),
				NODE.resolve("client"));
		ChildCommand.run(NODE, "npm", "ci");
	}

	private static Path preparePython() throws IOException, InterruptedException {
		ChildCommand.assumeInstalled("python3", "install Python 3 with venv to run this test");
		Path python = VENV.resolve("bin/python");
		if (!Files.exists(python)) {
			ChildCommand.run(Path.of("."), "python3", "-m", "venv", VENV.toString());
		}
		String requirements = Path.of("src/test/python/requirements.txt").toAbsolutePath().toString();
		ChildCommand.run(VENV, python.toString(), "-m", "pip", "--disable-pip-version-check", "install", "--quiet",
				"--requirement", requirements);
		return python;
	}

	private static JsonNode lastLine(String output) {
		return ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
	}

	private static List<String> strings(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asString).toList();
	}

}
