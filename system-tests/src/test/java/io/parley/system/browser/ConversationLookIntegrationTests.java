package io.parley.system.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A conversation with all that messages may have, its thread and its lists fit on phones
 * and desktops, light and dark, and axe-core finds nothing serious. Takes a screenshot of
 * each.
 */
@Tag("exhaustive")
class ConversationLookIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private Look look;

	private ChatPage page;

	@BeforeAll
	static void converse() {
		ChatApi api = new ChatApi(server.url());
		String alice = api.login("alice", "demo");
		String bob = api.login("bob", "demo");
		String carol = api.login("carol", "demo");
		String room = api.createRoom(alice, "Release 2", List.of("bob", "carol"));
		api.post(bob, room, "long", "A word without a place to break it: " + "x".repeat(120));
		api.post(alice, room, "plan", """
				**Release 2** goes out on Thursday:
				- freeze on Tuesday
				- `./chat test --all` on Wednesday

				Notes: https://example.org/release-2""");
		api.post(bob, room, Map.of("clientId", "ask", "text", "@alice can you review the migration?", "mentions",
				Map.of("users", List.of("alice"))));
		api.post(carol, room, "typo", "I take the realese notes");
		api.post(carol, room, "oops", "wrong room");
		List<JsonNode> messages = api.view(alice, room);
		long plan = position(messages, "plan");
		long ask = position(messages, "ask");
		api.edit(carol, room, position(messages, "typo"), "edit", "I take the release notes");
		api.deleteMessage(carol, room, position(messages, "oops"));
		api.pin(alice, room, plan);
		for (String key : List.of("\ud83d\udc4d", "\ud83c\udf89", ":ship-it:")) {
			api.react(bob, room, plan, key);
		}
		api.react(alice, room, plan, "\ud83d\udc4d");
		api.reply(alice, room, ask, "yes", "Yes, this afternoon");
		api.reply(bob, room, ask, "thanks", "Thank you");
		api.schedule(alice, room, "Reminder: freeze tonight", Instant.now().plus(Duration.ofDays(2)));
	}

	private static long position(List<JsonNode> messages, String clientId) {
		return messages.stream()
			.filter((message) -> message.path("clientId").asString("").equals(clientId))
			.findFirst()
			.orElseThrow()
			.path("position")
			.longValue();
	}

	@ParameterizedTest
	@MethodSource("io.parley.system.browser.Look#all")
	void fitsAndIsAccessible(Look given) {
		this.look = given;
		try (ChatPage shown = given.open(chromium)) {
			this.page = shown;
			shown.signIn(server.url(), "alice");
			list("mentions-open", "mention-item", "mentions-close");
			list("threads-open", "thread-item", "");
			assertThat(shown.test("thread")).isVisible();
			shown.test("thread-close").click();
			list("scheduled-open", "scheduled-item", "scheduled-close");
			conversation();
			assertThat(shown.errors()).isEmpty();
		}
	}

	private void list(String opener, String item, String closer) {
		if (this.page.test("back").isVisible()) {
			this.page.test("back").click();
		}
		this.page.test(opener).click();
		assertThat(this.page.test(item)).hasCount(1);
		check(opener.replace("-open", ""));
		if (closer.isEmpty()) {
			this.page.test(item).click();
		}
		else {
			this.page.test(closer).click();
		}
	}

	private void conversation() {
		if (this.page.test("back").isVisible()) {
			this.page.test("back").click();
		}
		this.page.open("Release 2");
		assertThat(this.page.messages()).hasCount(4);
		assertThat(this.page.test("message-deleted")).hasCount(1);
		assertThat(this.page.test("message-edited")).hasCount(1);
		assertThat(this.page.test("reaction")).hasCount(3);
		check("conversation");
		this.page.test("thread-link").click();
		assertThat(this.page.test("thread-messages").getByTestId("message")).hasCount(3);
		check("thread");
		this.page.test("thread-close").click();
		this.page.test("message-actions").first().click();
		assertThat(this.page.test("message-dialog")).isVisible();
		check("message");
		this.page.test("message-close").click();
		this.page.test("composer-input").fill("@");
		this.page.test("composer-input").press("Backspace");
		this.page.type("@b");
		check("completion");
	}

	private void check(String name) {
		this.look.check(this.page, name);
	}

}
