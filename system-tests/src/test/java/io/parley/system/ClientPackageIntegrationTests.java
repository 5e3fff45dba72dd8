package io.parley.system;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

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
@Tag("exhaustive")
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

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(server.url());

	@BeforeAll
	static void installAndCompile() throws Exception {
		ClientPrograms.installTypeScript(PROJECT);
	}

	@Test
	void nothingIsLostWhenServerAndClientAreKilled() throws Exception {
		new KilledTalk(server, PROJECT, "node", "out/talk.js").run();
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
	void keepsTheRulesOfClients() throws Exception {
		JsonNode result = lastLine(
				ChildCommand.run(PROJECT, "node", "out/rules.js", server.url().toString(), "alice", "demo", newRoom()));
		assertThat(result).isEqualTo(ChatApi.JSON.readTree(
				"""
						{"loops":["m0","m1","m1","m2"],"paused":true,"slow":true,"far":100,"otherLog":100,
						"cancelled":"AbortError","tooLarge":"message-too-large","notMine":"not-found","abortedPage":"AbortError",
						"empty":"TypeError","strange":"not-a-member","pending":0,"withBrokenStorage":"accepted",
						"problems":["storage-failed"],"otherUser":"other-user","signedOut":"signed-out",
						"failing":"token-unavailable","closed":"closed"}"""));
	}

	@Test
	void theReactExampleShowsARoom() throws Exception {
		JsonNode result = lastLine(
				ChildCommand.run(PROJECT, "node", "out/react.js", server.url().toString(), "alice", "demo", newRoom()));
		assertThat(result.path("before").valueStream().map(JsonNode::asString)).containsExactly("alice: Hello",
				"alice: Second");
		assertThat(result.path("after").path(0).asString()).isEqualTo("alice: Hello! (edited)👍 1");
		assertThat(result.path("followsAfterUnmount").booleanValue()).isFalse();
	}

	@Test
	void thePackageResolvesEverywhere() throws Exception {
		Path lint = PROJECT.resolve("lint");
		Node.install(SOURCE.resolve("test/lint/package-lock.json"), lint);
		ChildCommand.run(lint, "node", "node_modules/publint/src/cli.js", ClientPrograms.packed(PROJECT).toString(),
				"--strict");
		ChildCommand.run(lint, "node", "node_modules/@arethetypeswrong/cli/dist/index.js",
				ClientPrograms.packed(PROJECT).toString(), "--profile", "esm-only");
	}

	private static int size(String entry) throws Exception {
		return Integer.parseInt(ChildCommand
			.run(PROJECT, "node", "size.mjs", "node_modules/parley-client/" + entry, "@stomp/stompjs", "react")
			.strip());
	}

	private String newRoom() {
		return this.api.createRoom(this.api.login("alice", "demo"), "Package", List.of("bob"));
	}

	private static JsonNode lastLine(String output) {
		return ChatApi.JSON.readTree(output.strip().lines().toList().getLast());
	}

}
