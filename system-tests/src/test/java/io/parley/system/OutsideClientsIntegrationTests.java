package io.parley.system;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests third-party clients, the clients in Python and Kotlin, and the client of the page
 * outside a browser.
 */
@Tag("exhaustive")
class OutsideClientsIntegrationTests {

	private static final Path NODE = Path.of("target/node").toAbsolutePath();

	private static final Path VENV = Path.of("target/python-venv").toAbsolutePath();

	/** The number of messages that chat-client.mjs sends for each user, 20 per second. */
	private static final int MESSAGES = Boolean.getBoolean("parley.test.full-size") ? 200 : 100;

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final StoppableDatabase database = new StoppableDatabase();

	@RegisterExtension
	final ChatServerProcess serverOfDatabase = new ChatServerProcess(this.database.setting())
		.withJvmOptions(StoppableDatabase.JVM_OPTION, "-Xmx512m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

	private final ChatApi api = new ChatApi(server.url());

	@AfterEach
	void stopDatabase() throws InterruptedException {
		this.database.kill();
	}

	@Test
	void stompjsSendsAndResumesAfterACut() throws Exception {
		ClientPrograms.installNode(NODE);
		JsonNode result = lastLine(
				ChildCommand.run(NODE, "node", "stompjs.mjs", server.url().toString(), "alice", "demo", newRoom()));
		assertSentAndResumed(result, "alice");
		assertThat(result.path("disconnected").booleanValue()).as("RECEIPT of DISCONNECT").isTrue();
	}

	@Test
	void stompPySendsAndResumesAfterACut() throws Exception {
		Path python = ClientPrograms.installPython(VENV);
		String script = Path.of("src/test/python/stomp_py.py").toAbsolutePath().toString();
		JsonNode result = lastLine(
				ChildCommand.run(VENV, python.toString(), script, server.url().toString(), "bob", "demo", newRoom()));
		assertSentAndResumed(result, "bob");
		assertThat(strings(result.path("receipts"))).contains("goodbye");
	}

	@Test
	void pythonClientLosesNothingWhenServerAndClientAreKilled() throws Exception {
		Path python = ClientPrograms.installPython(VENV);
		Path talk = ClientPrograms.copyPythonClient(VENV, "talk.py");
		new KilledTalk(server, VENV, python.toString(), talk.toString()).run();
	}

	@Test
	void pythonClientKeepsTheRulesOfClients() throws Exception {
		Path python = ClientPrograms.installPython(VENV);
		Path rules = ClientPrograms.copyPythonClient(VENV, "rules.py");
		assertThat(ChildCommand.run(VENV, python.toString(), rules.toString())).endsWith("OK\n");
	}

	@Test
	void kotlinClientLosesNothingWhenServerAndClientAreKilled() throws Exception {
		new KilledTalk(server, ClientPrograms.KOTLIN, ClientPrograms.kotlin("TalkKt")).run();
	}

	@Test
	void clientOfThePageLosesNothingWhenTheServerIsKilled() throws Exception {
		ClientPrograms.installNode(NODE);
		String room = newRoom();
		try (ChildCommand talk = ChildCommand.start(NODE, "node", "chat-client.mjs", server.url().toString(), "demo",
				"alice", "bob", room, String.valueOf(MESSAGES))) {
			talk.awaitLine("READY");
			server.kill9();
			server.start();
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

	@Test
	void clientOfThePageRepeatsWhatIsRefusedForAWhile() throws Exception {
		ClientPrograms.installNode(NODE);
		this.database.start(this.serverOfDatabase.directory());
		ChatApi chat = new ChatApi(this.serverOfDatabase.start().url());
		String alice = chat.login("alice", "demo");
		String room = chat.createRoom(alice, "Refused", List.of("bob"));
		String left = chat.createRoom(alice, "Left", List.of("bob"));
		chat.post(alice, room, "c1", "posted before");
		String position = chat.history(alice, room).getLast().path("position").asString();
		try (ChildCommand client = ChildCommand.start(NODE, "node", "refused.mjs",
				this.serverOfDatabase.url().toString(), "bob", "demo", room, position, left)) {
			client.awaitLine("READY");
			this.database.kill();
			client.awaitLine("REFUSED");
			this.database.start(this.serverOfDatabase.directory());
			await().atMost(Duration.ofSeconds(60))
				.ignoreExceptionsInstanceOf(AssertionError.class)
				.until(() -> chat.hasRoom(alice, "Refused"));
			chat.post(alice, room, "c2", "posted afterwards");
			JsonNode result = lastLine(client.awaitSuccess());
			assertThat(strings(result.path("texts"))).containsExactlyInAnyOrder("posted before", "sent meanwhile",
					"posted afterwards");
			assertThat(result.path("failed")).isEmpty();
			assertThat(result.path("errors")).as("errors that are not repeated").isEmpty();
			assertThat(result.path("losses").intValue()).as("lost connections").isZero();
			assertThat(result.path("subscribedAgain").intValue()).as("SUBSCRIBE after unfollow").isZero();
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
		assertThat(strings(talker.path("texts"))).as("messages received by %s", user)
			.filteredOn((text) -> !text.isEmpty())
			.isEqualTo(history);
		assertThat(history.stream().filter((text) -> text.startsWith(user))).as("messages sent by %s", user)
			.containsExactlyElementsOf(IntStream.range(0, MESSAGES).mapToObj((i) -> user + " " + i).toList());
	}

	private String newRoom() {
		return this.api.createRoom(this.api.login("alice", "demo"), "Outside", List.of("bob"));
	}

	private static JsonNode lastLine(String output) {
		return ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
	}

	private static List<String> strings(JsonNode array) {
		return StreamSupport.stream(array.spliterator(), false).map(JsonNode::asString).toList();
	}

}
