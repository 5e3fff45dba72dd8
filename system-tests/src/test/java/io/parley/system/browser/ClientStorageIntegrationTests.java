package io.parley.system.browser;

import java.util.List;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The package parley-client in a page that is reloaded, with its storage in IndexedDB.
 */
@Tag("exhaustive")
class ClientStorageIntegrationTests {

	private static final String CONNECT = """
			async () => {
				const { connect, indexedDbStorage, signIn } = await import("/client/index.js");
				const { getToken } = await signIn({ url: location.origin, username: "bob", password: "demo" });
				const webSocketFactory = %s ? undefined : () => new WebSocket("ws://127.0.0.1:9");
				window.client = connect({ url: location.origin, getToken, storage: indexedDbStorage("bob"), webSocketFactory });
				window.room = client.room("%s");
				window.texts = [];
				room.on("message.posted", ({ text }) => texts.push(text));
				room.on("reset", () => texts.push("reset"));
			}""";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	@Test
	void outboxAndPositionSurviveAReload() {
		ChatApi api = new ChatApi(server.url());
		String alice = api.login("alice", "demo");
		String room = api.createRoom(alice, "Reloaded", List.of("bob"));
		try (ChatPage page = new ChatPage(chromium.browser(), 800, 600)) {
			page.visit(server.url());
			page.evaluate(CONNECT.formatted(true, room));
			await("the newest page").until(() -> page.evaluate("() => texts.join()"), "reset"::equals);
			api.post(alice, room, "c1", "before");
			await("the message").until(() -> page.evaluate("() => texts.join()"), "reset,before"::equals);
			page.reload();
			page.evaluate(CONNECT.formatted(false, room));
			page.evaluate("() => { for (const text of ['offline', 'still']) room.send(text).catch(() => {}) }");
			await("both to be saved").until(() -> page.evaluate("async () => (await (await import('/client/index.js'))"
					+ ".indexedDbStorage('bob').list('outbox/')).length"), Integer.valueOf(2)::equals);
			api.post(alice, room, "c2", "meanwhile");
			page.reload();
			page.evaluate(CONNECT.formatted(true, room));
			await("all").until(() -> page.evaluate("() => texts.join()"), "meanwhile,offline,still"::equals);
			assertThat(page.evaluate("() => client.pending().length")).isEqualTo(0);
		}
		assertThat(api.history(alice, room)
			.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted")))
			.extracting((event) -> event.path("text").asString())
			.containsExactly("before", "meanwhile", "offline", "still");
	}

}
