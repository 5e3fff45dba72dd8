package io.parley.system.browser;

import java.util.List;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice owns a room. She and Bob react to messages in it. */
@Tag("exhaustive")
class ReactionsIntegrationTests extends AliceAndBob {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	ReactionsIntegrationTests() {
		super(chromium, server);
	}

	@Test
	void reactionsAreSeenByAllAndAfterAReload() {
		say(this.bob, "First", "Second");
		react(this.alice, "First", "\ud83d\udc4d");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("reaction")).hasCount(1);
			assertThat(page.test("reaction")).hasAccessibleName("\ud83d\udc4d, 1");
		}
		assertThat(this.alice.test("reaction")).hasAttribute("aria-pressed", "true");
		assertThat(this.bob.test("reaction")).hasAttribute("aria-pressed", "false");
		this.bob.test("reaction").click();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("reaction")).hasAccessibleName("\ud83d\udc4d, 2");
			assertThat(page.test("reaction")).hasAttribute("aria-pressed", "true");
		}
		react(this.bob, "First", "\u2764\ufe0f");
		assertThat(this.alice.test("reaction")).hasCount(2);
		assertThat(this.alice.test("reaction").last()).hasAttribute("aria-pressed", "false");
		this.bob.screenshot("reactions-360");
		assertThat(this.bob.overflow()).isZero();
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.alice.reload();
		this.alice.open("reactionsAreSeenByAllAndAfterAReload");
		assertThat(this.alice.test("reaction")).hasCount(2);
		assertThat(this.alice.test("reaction").first()).hasAttribute("aria-pressed", "true");
		assertThat(this.alice.test("reaction").last()).hasAttribute("aria-pressed", "false");
		this.alice.test("reaction").first().click();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("reaction").first()).hasAccessibleName("\ud83d\udc4d, 1");
		}
		assertNoErrors();
	}

	@Test
	void theKeyboardSuffices() {
		say(this.bob, "Text");
		actions(this.alice, "Text").focus();
		this.alice.press("Enter");
		assertThat(this.alice.test("message-reactions")).isVisible();
		this.alice.screenshot("reaction-dialog-1280");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.test("emoji").first().focus();
		this.alice.press("Enter");
		assertThat(this.bob.test("reaction")).hasCount(1);
		assertThat(this.alice.test("reaction")).hasAttribute("aria-pressed", "true");
		this.alice.test("reaction").focus();
		this.alice.press("Enter");
		assertThat(this.bob.test("reaction")).hasCount(0);
		assertNoErrors();
	}

	@Test
	void aChipKeepsTheFocus() {
		say(this.bob, "Text");
		react(this.alice, "Text", "\ud83d\udc4d");
		this.bob.test("reaction").focus();
		this.bob.press("Enter");
		assertThat(this.bob.test("reaction")).hasAttribute("aria-pressed", "true");
		assertThat(this.bob.test("reaction")).isFocused();
		assertNoErrors();
	}

	@Test
	void aDeletedMessageHasNone() {
		say(this.alice, "Text");
		react(this.bob, "Text", "\ud83d\udc4d");
		assertThat(this.alice.test("reaction")).hasCount(1);
		actions(this.alice, "Text").click();
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("message-deleted")).hasCount(1);
			assertThat(page.test("reaction")).hasCount(0);
			assertThat(page.test("message-actions")).hasCount(0);
		}
		assertNoErrors();
	}

	private static void react(ChatPage page, String text, String key) {
		actions(page, text).click();
		page.test("message-reactions").getByText(key, new Locator.GetByTextOptions().setExact(true)).click();
		assertThat(page.test("message-dialog")).isHidden();
	}

}
