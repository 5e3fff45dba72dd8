package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two programs send messages to one room with one of our clients. Meanwhile the server
 * and one of the programs are killed and started again.
 */
final class KilledTalk {

	private static final int MESSAGES = Boolean.getBoolean("parley.test.full-size") ? 300 : 80;

	private final ChatServerProcess server;

	private final Path directory;

	private final List<String> command;

	private final ChatApi api;

	/**
	 * Prepares the test.
	 * @param server a server without a limit of messages a second
	 * @param directory where the programs run, and write what they receive
	 * @param command the program, without its arguments
	 */
	KilledTalk(ChatServerProcess server, Path directory, String... command) {
		this.server = server;
		this.directory = directory;
		this.command = List.of(command);
		this.api = new ChatApi(server.url());
	}

	/**
	 * Checks that nothing is lost, doubled or out of order, neither in the history nor in
	 * what the programs received.
	 */
	void run() throws Exception {
		String room = this.api.createRoom(this.api.login("alice", "demo"), "Talk", List.of("bob"));
		try (ChildCommand alice = talk("alice", room); ChildCommand bob = talk("bob", room)) {
			alice.awaitLine("READY");
			bob.awaitLine("READY");
			this.server.kill9();
			bob.close();
			this.server.start();
			try (ChildCommand again = talk("bob", room)) {
				JsonNode first = result(alice);
				JsonNode second = result(again);
				assertThat(first.path("losses").intValue()).as("lost connections").isPositive();
				assertThat(second.path("first").intValue()).as("bob continues").isPositive();
				Stream.of(first, second).forEach(KilledTalk::assertAllAccepted);
			}
		}
		List<String> history = history(room);
		assertThat(history).hasSize(2 * MESSAGES).doesNotHaveDuplicates();
		for (String user : List.of("alice", "bob")) {
			assertThat(history.stream().map((line) -> line.substring(line.indexOf(' ') + 1)))
				.filteredOn((text) -> text.startsWith(user))
				.containsExactlyElementsOf(IntStream.range(0, MESSAGES).mapToObj((i) -> user + " " + i).toList());
		}
		assertThat(received("alice", room)).as("what alice received").isEqualTo(history);
		// An event that was not handled when the program was killed comes again.
		assertThat(received("bob", room)).as("what bob received").hasSizeLessThanOrEqualTo(2 * MESSAGES + 1);
		assertThat(received("bob", room).stream().distinct()).isEqualTo(history);
	}

	private static void assertAllAccepted(JsonNode result) {
		assertThat(result.path("refused")).isEmpty();
		assertThat(result.path("errors")).isEmpty();
		assertThat(result.path("pending").intValue()).isZero();
		assertThat(result.path("accepted").intValue()).isEqualTo(MESSAGES - result.path("first").intValue());
		assertThat(result.path("positions").booleanValue()).as("each acceptance has a position").isTrue();
	}

	private ChildCommand talk(String user, String room) throws IOException {
		Path folder = Files.createDirectories(folder(user, room));
		List<String> arguments = List.of(this.server.url().toString(), user, "demo", room, String.valueOf(MESSAGES),
				String.valueOf(2 * MESSAGES), folder.toString());
		return ChildCommand.start(this.directory,
				Stream.concat(this.command.stream(), arguments.stream()).toArray(String[]::new));
	}

	private List<String> history(String room) {
		return this.api.history(this.api.login("alice", "demo"), room)
			.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("position").asString() + " " + event.path("text").asString())
			.toList();
	}

	private List<String> received(String user, String room) throws IOException {
		return Files.readAllLines(folder(user, room).resolve("received.jsonl"))
			.stream()
			.map(ChatApi.JSON::readTree)
			.filter((line) -> line.has("position"))
			.map((event) -> event.path("position").asString() + " " + event.path("text").asString())
			.toList();
	}

	private Path folder(String user, String room) {
		return this.directory.resolve("talks").resolve(room).resolve(user);
	}

	private static JsonNode result(ChildCommand talk) throws Exception {
		return ChatApi.JSON.readTree(talk.awaitSuccess().strip().lines().toList().getLast());
	}

}
