package io.parley.system.browser;

import java.util.List;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alice at a desktop and Bob at a phone have opened a room of Alice. Each test has its
 * own room, named like its method.
 */
abstract class AliceAndBob {

	private final Chromium chromium;

	private final ChatServerProcess server;

	protected ChatPage alice;

	protected ChatPage bob;

	AliceAndBob(Chromium chromium, ChatServerProcess server) {
		this.chromium = chromium;
		this.server = server;
	}

	@BeforeEach
	void open(TestInfo test) {
		String name = test.getTestMethod().orElseThrow().getName();
		ChatApi api = new ChatApi(this.server.url());
		api.createPrivateChannel(api.login("alice", "demo"), name, List.of("bob"));
		this.alice = new ChatPage(this.chromium.browser(), 1280, 800);
		this.bob = new ChatPage(this.chromium.browser(), 360, 740);
		this.alice.signIn(this.server.url(), "alice");
		this.bob.signIn(this.server.url(), "bob");
		this.alice.open(name);
		this.bob.open(name);
	}

	@AfterEach
	void close() {
		this.alice.close();
		this.bob.close();
	}

	/** Sends messages from one page and waits until both show them. */
	protected void say(ChatPage page, String... texts) {
		for (String text : texts) {
			page.send(text);
			assertThat(this.alice.messages().last()).hasText(text);
			assertThat(this.bob.messages().last()).hasText(text);
		}
	}

	/** Returns the button that opens the dialog of the message with that text. */
	protected static Locator actions(ChatPage page, String text) {
		return page.test("message")
			.filter(new Locator.FilterOptions().setHasText(text))
			.filter(new Locator.FilterOptions()
				.setHas(page.messages().getByText(text, new Locator.GetByTextOptions().setExact(true))))
			.getByTestId("message-actions");
	}

	protected void assertNoErrors() {
		assertThat(this.alice.errors()).isEmpty();
		assertThat(this.bob.errors()).isEmpty();
	}

}
