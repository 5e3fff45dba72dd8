package io.parley.system.browser;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice and Bob chat in the page. */
class BrowserIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	/** Each test has its own room, so tests do not see each other's messages. */
	private String room;

	private String id;

	private ChatPage alice;

	private ChatPage bob;

	@BeforeEach
	void signIn(TestInfo test) {
		ChatApi api = new ChatApi(server.url());
		this.room = test.getTestMethod().orElseThrow().getName();
		this.id = api.createRoom(api.login("alice", "demo"), this.room, List.of("bob"));
		this.alice = new ChatPage(chromium.browser(), 1280, 800);
		this.bob = new ChatPage(chromium.browser(), 390, 844);
		this.alice.signIn(server.url(), "alice");
		this.bob.signIn(server.url(), "bob");
		this.alice.open(this.room);
		this.bob.open(this.room);
	}

	@AfterEach
	void close() {
		this.alice.close();
		this.bob.close();
	}

	@Test
	void showsMessagesTypingAndReadMarkersOfTheOther() {
		this.alice.send("Hello Bob");
		assertThat(this.bob.messages()).hasText("Hello Bob");
		assertThat(this.alice.test("seen")).hasText("Seen by bob");
		this.bob.type("Hello");
		assertThat(this.alice.test("typing")).hasText("bob is typing…");
		this.alice.screenshot("typing-desktop");
		this.bob.send("Hello Alice – ü 😀 <b>not bold</b>");
		assertThat(this.alice.messages()).hasText(new String[] { "Hello Bob", "Hello Alice – ü 😀 <b>not bold</b>" });
		assertThat(this.alice.test("typing")).isEmpty();
		this.alice.screenshot("chat-desktop");
		this.bob.screenshot("chat-phone");
		assertNoErrors();
	}

	@Test
	void countsUnreadMessagesWhileAnotherRoomIsOpen() {
		this.alice.open("bob");
		assertThat(this.alice.test("room-name")).hasText("bob");
		Stream.of("one", "two", "three").forEach(this.bob::send);
		assertThat(this.alice.unreadBadge(this.room)).hasText("3");
		this.alice.screenshot("unread-desktop");
		this.alice.open(this.room);
		assertThat(this.alice.messages()).hasText(new String[] { "one", "two", "three" });
		assertThat(this.alice.test("new-divider")).hasCount(1);
		assertThat(this.alice.unreadBadge(this.room)).hasCount(0);
		assertThat(this.bob.own("seen")).hasCount(3);
		this.bob.test("back").click();
		assertThat(this.bob.roomItem(this.room)).isVisible();
		this.bob.screenshot("rooms-phone");
		assertNoErrors();
	}

	/** Each of these has a class of its own among the exhaustive tests. */
	@Test
	void changesReactsAndReplies() {
		this.alice.send("Helo");
		assertThat(this.bob.messages()).hasText("Helo");
		this.alice.test("message-actions").click();
		this.alice.test("message-edit").click();
		this.alice.test("composer-input").fill("Hello @bob, **see** https://example.org");
		this.alice.press("Enter");
		assertThat(this.bob.messages()).hasText("Hello @bob, see https://example.org");
		assertThat(this.bob.test("message-edited")).hasCount(1);
		assertThat(this.bob.test("mention")).hasText("@bob");
		assertThat(this.bob.test("message-link")).hasAttribute("href", "https://example.org/");
		this.bob.test("message-actions").click();
		this.bob.test("emoji").first().click();
		assertThat(this.alice.test("reaction")).hasCount(1);
		this.bob.test("message-actions").click();
		this.bob.test("message-thread").click();
		this.bob.test("thread-input").fill("I have");
		this.bob.test("thread-send").click();
		assertThat(this.alice.test("thread-unread")).hasAccessibleName("1 unread");
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.bob.test("thread-close").click();
		this.alice.test("message-actions").click();
		this.alice.test("message-pin").click();
		assertThat(this.bob.test("message-pinned")).hasCount(1);
		this.alice.test("message-actions").click();
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		assertThat(this.bob.test("message-deleted")).hasCount(1);
		assertThat(this.bob.test("reaction")).hasCount(0);
		assertNoErrors();
	}

	@Test
	void keepsTheSessionAcrossAReload() {
		this.alice.send("Before the reload");
		assertThat(this.bob.messages()).hasText("Before the reload");
		this.alice.reload();
		assertThat(this.alice.test("me")).hasText("alice");
		assertThat(this.alice.test("signin-submit")).isHidden();
		this.alice.open(this.room);
		assertThat(this.alice.messages()).hasText("Before the reload");
		this.alice.send("After the reload");
		assertThat(this.bob.messages()).hasText(new String[] { "Before the reload", "After the reload" });
		assertNoErrors();
	}

	@Test
	void loadsARoomLaterIfThatFailsFirst() {
		this.bob.send("Hello Alice");
		assertThat(this.alice.messages()).hasText("Hello Alice");
		this.alice.reload();
		assertThat(this.alice.roomItem(this.room)).isVisible();
		this.alice.failOnce("/api/rooms/" + this.id + "/messages");
		this.alice.open(this.room);
		this.alice.awaitFailure("GET /api/rooms/" + this.id + "/messages");
		assertThat(this.alice.messages()).hasText("Hello Alice");
	}

	/** A network change aborts requests in flight, including those of the page. */
	@Test
	void loadsAFileAgainThatFailsFirst() {
		for (String file : List.of("/client/stompjs.js", "/app.css", "/dom.js")) {
			this.alice.failOnce(file);
			this.alice.reload();
			this.alice.awaitFailure("GET " + file);
			assertThat(this.alice.roomItem(this.room)).isVisible();
			assertThat(this.alice.root()).hasCSS("--accent", Pattern.compile(".+"));
		}
	}

	@Test
	void losesOrRepeatsNothingWhenTheServerIsKilled() throws Exception {
		this.alice.send("Before");
		assertThat(this.bob.messages()).hasText("Before");
		server.kill9();
		assertThat(this.alice.test("connection")).hasAttribute("data-state", "waiting");
		assertThat(this.alice.test("connection")).containsText("Reconnecting");
		assertThat(this.bob.test("connection")).hasAttribute("data-state", "waiting");
		Stream.of("Alice 1", "Alice 2", "Alice 3").forEach(this.alice::send);
		Stream.of("Bob 1", "Bob 2").forEach(this.bob::send);
		assertThat(this.alice.own("pending")).hasCount(3);
		assertThat(this.bob.own("pending")).hasCount(2);
		this.alice.screenshot("reconnecting-desktop");
		this.bob.screenshot("reconnecting-phone");
		server.start();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("connection")).hasAttribute("data-state", "online");
			assertThat(page.own("pending")).hasCount(0);
			assertThat(page.messages()).hasCount(6);
		}
		List<String> texts = this.alice.messages().allTextContents();
		assertThat(texts).startsWith("Before")
			.containsSubsequence("Alice 1", "Alice 2", "Alice 3")
			.containsSubsequence("Bob 1", "Bob 2");
		assertThat(this.bob.messages().allTextContents()).as("the same order on both sides").isEqualTo(texts);
		assertNoErrors();
	}

	private void assertNoErrors() {
		assertThat(this.alice.errors()).as("errors in the console of Alice").isEmpty();
		assertThat(this.bob.errors()).as("errors in the console of Bob").isEmpty();
	}

}
