package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The package parley-client as its users have it: packed, installed in an empty project,
 * compiled, and run against a server that is killed.
 */
class ClientPackageIntegrationTests {

	private static final Path SOURCE = Path.of("../clients/typescript").toAbsolutePath();

	private static final Path PROJECT = Path.of("target/client-package").toAbsolutePath();

	/**
	 * The source, below the project, so that it finds the packages that are installed
	 * there.
	 */
	private static final Path CHECKED = PROJECT.resolve("checked");

	private static final int MAX_SIZE = 12_000;

	private static final int MAX_REACT_SIZE = 2_000;

	private static final int MESSAGES = Boolean.getBoolean("parley.test.full-size") ? 300 : 80;

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(server.url());

	@BeforeAll
	static void installAndCompile() throws Exception {
		Node.assumeInstalled();
		Files.createDirectories(PROJECT);
		FileSystemUtils.copyRecursively(SOURCE.resolve("test"), PROJECT);
		FileSystemUtils.copyRecursively(SOURCE.resolve("examples"), PROJECT);
		Node.install(SOURCE.resolve("test/package-lock.json"), PROJECT);
		ChildCommand.run(SOURCE, "npm", "pack", "--pack-destination", PROJECT.toString());
		ChildCommand.run(PROJECT, "npm", "install", "--no-save", "--no-audit", "--no-fund", "--prefer-offline",
				packed().toString());
		ChildCommand.run(PROJECT, "node", "node_modules/typescript/bin/tsc", "-p", ".");
	}

	@Test
	void nothingIsLostWhenServerAndClientAreKilled() throws Exception {
		String room = newRoom();
		try (ChildCommand alice = talk("alice", room); ChildCommand bob = talk("bob", room)) {
			alice.awaitLine("READY");
			bob.awaitLine("READY");
			server.kill9();
			bob.close();
			server.start();
			try (ChildCommand again = talk("bob", room)) {
				JsonNode first = lastLine(alice.awaitSuccess());
				JsonNode second = lastLine(again.awaitSuccess());
				assertThat(first.path("losses").intValue()).as("lost connections").isPositive();
				assertThat(second.path("first").intValue()).as("bob continues").isPositive();
				for (JsonNode result : List.of(first, second)) {
					assertThat(result.path("refused")).isEmpty();
					assertThat(result.path("errors")).isEmpty();
					assertThat(result.path("pending").intValue()).isZero();
					assertThat(result.path("accepted").intValue())
						.isEqualTo(MESSAGES - result.path("first").intValue());
				}
			}
		}
		List<String> history = this.api.history(this.api.login("alice", "demo"), room)
			.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("position").asString() + " " + event.path("text").asString())
			.toList();
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

	@Test
	void theSourcesAreWhatTheDeclarationsPromise() throws Exception {
		FileSystemUtils.deleteRecursively(CHECKED);
		FileSystemUtils.copyRecursively(SOURCE.resolve("src"), CHECKED.resolve("src"));
		FileSystemUtils.copyRecursively(SOURCE.resolve("react"), CHECKED.resolve("react"));
		for (String file : List.of("package.json", "index.d.ts", "tsconfig.json", "check.js")) {
			Files.copy(SOURCE.resolve(file), CHECKED.resolve(file));
		}
		ChildCommand.run(PROJECT, "node", "node_modules/typescript/bin/tsc", "-p", CHECKED.toString());
	}

	@Test
	void staysSmall() throws Exception {
		assertThat(size("src/index.js")).isBetween(1_000, MAX_SIZE);
		assertThat(size("react/index.js")).isBetween(500, MAX_REACT_SIZE);
		JsonNode manifest = ChatApi.JSON
			.readTree(Files.readString(PROJECT.resolve("node_modules/parley-client/package.json")));
		assertThat(manifest.path("dependencies").propertyNames()).containsExactly("@stomp/stompjs");
	}

	@Test
	@Tag("exhaustive")
	void theReactExampleShowsARoom() throws Exception {
		JsonNode result = lastLine(
				ChildCommand.run(PROJECT, "node", "out/react.js", server.url().toString(), "alice", "demo", newRoom()));
		assertThat(result.path("before").valueStream().map(JsonNode::asString)).containsExactly("alice: Hello",
				"alice: Second");
		assertThat(result.path("after").path(0).asString()).isEqualTo("alice: Hello! (edited)👍 1");
		assertThat(result.path("followsAfterUnmount").booleanValue()).isFalse();
	}

	@Test
	@Tag("exhaustive")
	void thePackageResolvesEverywhere() throws Exception {
		Path lint = PROJECT.resolve("lint");
		Node.install(SOURCE.resolve("test/lint/package-lock.json"), lint);
		ChildCommand.run(lint, "node", "node_modules/publint/src/cli.js", packed().toString(), "--strict");
		ChildCommand.run(lint, "node", "node_modules/@arethetypeswrong/cli/dist/index.js", packed().toString(),
				"--profile", "esm-only");
	}

	private ChildCommand talk(String user, String room) throws IOException {
		Path folder = Files.createDirectories(folder(user, room));
		return ChildCommand.start(PROJECT, "node", "out/talk.js", server.url().toString(), user, "demo", room,
				String.valueOf(MESSAGES), String.valueOf(2 * MESSAGES), folder.toString());
	}

	private static List<String> received(String user, String room) throws IOException {
		return Files.readAllLines(folder(user, room).resolve("received.log"));
	}

	private static Path folder(String user, String room) {
		return PROJECT.resolve("talks").resolve(room).resolve(user);
	}

	private static int size(String entry) throws Exception {
		return Integer.parseInt(ChildCommand
			.run(PROJECT, "node", "size.mjs", "node_modules/parley-client/" + entry, "@stomp/stompjs", "react")
			.strip());
	}

	private static Path packed() {
		return PROJECT.resolve("parley-client-0.1.0.tgz");
	}

	private String newRoom() {
		return this.api.createRoom(this.api.login("alice", "demo"), "Package", List.of("bob"));
	}

	private static JsonNode lastLine(String output) {
		return ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
	}

}
