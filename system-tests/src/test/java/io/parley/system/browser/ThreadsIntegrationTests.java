package io.parley.system.browser;

import java.util.List;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Alice on a large screen and Bob on a phone answer each other, in the room and in
 * threads.
 */
@Tag("exhaustive")
class ThreadsIntegrationTests extends AliceAndBob {

	private static final String QUESTION = "Who can help?";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	ThreadsIntegrationTests() {
		super(chromium, server);
	}

	@BeforeEach
	void ask() {
		say(this.bob, QUESTION);
	}

	@Test
	void aThreadIsReadAndAnsweredOnAPhone() {
		actions(this.alice, QUESTION).click();
		this.alice.test("message-thread").click();
		reply(this.alice, "I can");
		assertThat(this.bob.test("thread-link")).hasText("1 reply1");
		assertThat(this.bob.test("thread-unread")).hasAccessibleName("1 unread");
		assertThat(this.bob.messages()).hasCount(1);
		this.bob.test("thread-link").click();
		assertThat(replies(this.bob)).hasText(new String[] { QUESTION, "I can" });
		assertThat(this.bob.test("thread-unread")).hasCount(0);
		reply(this.bob, "Thank you");
		assertThat(replies(this.alice)).hasText(new String[] { QUESTION, "I can", "Thank you" });
		this.bob.screenshot("thread-360");
		this.alice.screenshot("thread-1280");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.overflow()).isZero();
			assertThat(page.seriousFindings()).isEmpty();
			assertThat(page.test("thread-follow")).hasAttribute("aria-pressed", "true");
		}
		this.bob.test("thread-close").click();
		assertThat(this.bob.test("thread-link")).isFocused();
		reply(this.alice, "Any time");
		assertThat(this.bob.test("thread-unread")).hasAccessibleName("1 unread");
		this.bob.reload();
		this.bob.test("threads-open").click();
		assertThat(this.bob.test("thread-badge")).hasAccessibleName("1 unread");
		this.bob.test("thread-item").click();
		assertThat(replies(this.bob).last()).hasText("Any time");
		assertThat(this.bob.test("thread-unread")).hasCount(0);
		this.bob.test("thread-follow").click();
		assertThat(this.bob.test("thread-follow")).hasAttribute("aria-pressed", "false");
		reply(this.alice, "Not noticed");
		assertThat(replies(this.bob).last()).hasText("Not noticed");
		assertThat(this.bob.test("threads-unread")).isHidden();
		assertNoErrors();
	}

	@Test
	void theKeyboardSuffices() {
		actions(this.alice, QUESTION).focus();
		this.alice.press("Enter");
		this.alice.test("message-thread").focus();
		this.alice.press("Enter");
		assertThat(this.alice.test("thread-input")).isFocused();
		this.alice.test("thread-input").pressSequentially("First");
		this.alice.press("Enter");
		assertThat(replies(this.alice).last()).hasText("First");
		assertThat(this.bob.test("thread-link")).isVisible();
		Locator own = this.alice.test("thread-messages").getByTestId("message-actions");
		own.focus();
		this.alice.press("Enter");
		this.alice.test("message-edit").focus();
		this.alice.press("Enter");
		assertThat(this.alice.test("thread-input")).hasValue("First");
		this.alice.test("thread-input").fill("Second");
		this.alice.press("Enter");
		assertThat(replies(this.alice).last()).hasText("Second");
		// The event may come before the answer, until which Escape ends the change only.
		assertThat(this.alice.test("thread-input")).hasValue("");
		this.alice.press("Escape");
		assertThat(this.alice.test("thread")).isHidden();
		assertThat(this.alice.test("thread-link")).isFocused();
		this.alice.press("Enter");
		assertThat(replies(this.alice).last()).hasText("Second");
		own.click();
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		assertThat(this.alice.test("thread-messages").getByTestId("message-deleted")).hasCount(1);
		assertThat(this.alice.test("thread-link")).hasCount(0);
		assertThat(this.bob.test("thread-link")).hasCount(0);
		assertNoErrors();
	}

	@Test
	void anAnswerShowsWhatItAnswers() {
		actions(this.alice, QUESTION).click();
		this.alice.test("message-answer").click();
		assertThat(this.alice.test("answering")).containsText("Answering bob: " + QUESTION);
		this.alice.press("Escape");
		assertThat(this.alice.test("answering")).isHidden();
		actions(this.alice, QUESTION).click();
		this.alice.test("message-answer").click();
		this.alice.send("Me");
		assertThat(this.alice.test("answering")).isHidden();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("quote")).hasText("Answer to bob: " + QUESTION);
		}
		this.bob.screenshot("answer-360");
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.bob.test("quote").click();
		assertThat(this.bob.test("message").first()).isFocused();
		this.bob.test("message-actions").first().click();
		this.bob.test("message-delete").click();
		this.bob.test("message-delete").click();
		assertThat(this.alice.test("quote")).hasText("Answer to bob: Message deleted");
		assertNoErrors();
	}

	@Test
	void aMentionIsCompletedCountedAndListed() {
		this.bob.test("back").click();
		Locator input = this.alice.test("composer-input");
		input.pressSequentially("Hi @b");
		assertThat(this.alice.test("mention-option")).hasText("@bob");
		assertThat(input).hasAttribute("aria-activedescendant", "text-mentions-0");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.screenshot("mention-1280");
		this.alice.press("Escape");
		assertThat(this.alice.test("text-mentions")).isHidden();
		input.pressSequentially("o");
		this.alice.press("Enter");
		assertThat(input).hasValue("Hi @bob ");
		input.pressSequentially("and @o");
		assertThat(this.alice.test("mention-option"))
			.hasText(new String[] { "@owners", "@bob", "@room", "@moderators" });
		this.alice.press("ArrowUp");
		this.alice.press("ArrowUp");
		this.alice.press("Tab");
		assertThat(input).hasValue("Hi @bob and @room ");
		this.alice.press("Enter");
		assertThat(this.alice.messages().last()).hasText("Hi @bob and @room");
		assertThat(this.alice.test("mention")).hasText(new String[] { "@bob", "@room" });
		assertThat(this.bob.test("mention-badge")).hasAccessibleName("1 of them mention you");
		assertThat(this.bob.test("mentions-unread")).hasAccessibleName("1 unread");
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.bob.test("mentions-open").focus();
		this.bob.press("Enter");
		assertThat(this.bob.test("mention-item")).containsText("alice: Hi @bob and @room");
		assertThat(this.bob.seriousFindings()).isEmpty();
		assertThat(this.bob.overflow()).isZero();
		this.bob.screenshot("mentions-360");
		assertThat(this.bob.test("mention-item").getByTestId("mention").first()).hasCSS("display", "inline");
		this.bob.test("mention-item").focus();
		this.bob.press("Enter");
		assertThat(this.bob.test("message").last()).isFocused();
		assertThat(this.bob.messages().getByTestId("mention")).hasCount(2);
		assertThat(this.bob.test("mention-badge")).hasCount(0);
		this.alice.press("ArrowUp");
		assertThat(this.alice.test("editing")).isVisible();
		input.fill("Hi all");
		this.alice.press("Enter");
		assertThat(this.bob.messages().last()).hasText("Hi all");
		assertThat(this.bob.messages().getByTestId("mention")).hasCount(0);
		this.bob.test("back").click();
		this.bob.test("mentions-open").click();
		assertThat(this.bob.test("no-mentions")).isVisible();
		assertThat(this.bob.test("mention-item")).hasCount(0);
		assertNoErrors();
	}

	private static Locator replies(ChatPage page) {
		return page.test("thread-messages").getByTestId("message-text");
	}

	private static void reply(ChatPage page, String text) {
		page.test("thread-input").fill(text);
		page.test("thread-send").click();
		assertThat(replies(page).last()).hasText(text);
	}

}
