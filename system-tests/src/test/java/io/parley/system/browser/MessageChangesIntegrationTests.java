package io.parley.system.browser;

import java.util.List;

import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice owns a room. She and Bob edit and delete messages in it. */
@Tag("exhaustive")
class MessageChangesIntegrationTests extends AliceAndBob {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	MessageChangesIntegrationTests() {
		super(chromium, server);
	}

	@Test
	void anEditIsSeenByAllAndAfterAReload() {
		say(this.bob, "Helo", "Second");
		actions(this.bob, "Helo").click();
		this.bob.test("message-edit").click();
		assertThat(this.bob.test("composer-input")).hasValue("Helo");
		assertThat(this.bob.test("editing")).isVisible();
		this.bob.test("composer-input").fill("Hello");
		this.bob.screenshot("message-edit-360");
		this.bob.press("Enter");
		assertThat(this.bob.test("editing")).isHidden();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.messages()).hasText(new String[] { "Hello", "Second" });
			assertThat(page.test("message-edited")).hasCount(1);
		}
		this.alice.reload();
		this.alice.open("anEditIsSeenByAllAndAfterAReload");
		assertThat(this.alice.messages()).hasText(new String[] { "Hello", "Second" });
		assertThat(this.alice.test("message-edited")).hasCount(1);
		assertNoErrors();
	}

	@Test
	void theKeyboardSuffices() {
		say(this.alice, "One", "Two");
		this.alice.test("composer-input").focus();
		this.alice.press("ArrowUp");
		assertThat(this.alice.test("composer-input")).hasValue("Two");
		this.alice.press("Escape");
		assertThat(this.alice.test("composer-input")).hasValue("");
		assertThat(this.alice.test("editing")).isHidden();
		this.alice.press("ArrowUp");
		this.alice.test("composer-input").fill("Three");
		this.alice.press("Enter");
		assertThat(this.bob.messages()).hasText(new String[] { "One", "Three" });
		actions(this.alice, "Three").focus();
		this.alice.press("ArrowUp");
		this.alice.press("Enter");
		assertThat(this.alice.test("message-dialog")).containsText("One");
		this.alice.test("message-delete").focus();
		this.alice.press("Enter");
		assertThat(this.alice.test("message-delete")).hasText("Really delete?");
		this.alice.press("Enter");
		assertThat(this.bob.messages()).hasText(new String[] { "Three" });
		assertThat(this.bob.test("message-deleted")).hasCount(1);
		assertNoErrors();
	}

	@Test
	void theOwnerDeletesTheMessageOfAMember() {
		say(this.bob, "Spam");
		say(this.alice, "No spam here");
		actions(this.bob, "No spam here").click();
		assertThat(this.bob.test("message-edit")).isHidden();
		assertThat(this.bob.test("message-delete")).isHidden();
		this.bob.test("message-close").click();
		actions(this.alice, "Spam").click();
		assertThat(this.alice.test("message-edit")).isHidden();
		this.alice.test("message-reason").fill("Against the rules");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.screenshot("message-dialog-1280");
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		assertThat(this.alice.test("message-dialog")).isHidden();
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.messages()).hasText(new String[] { "No spam here" });
			assertThat(page.test("message-deleted")).hasText("This message was deleted");
			assertThat(page.overflow()).isZero();
		}
		this.bob.screenshot("message-deleted-360");
		assertNoErrors();
	}

	@Test
	void aMemberReportsAMessage() {
		say(this.alice, "Rude words");
		say(this.bob, "An answer");
		actions(this.bob, "An answer").click();
		assertThat(this.bob.test("message-report")).isHidden();
		this.bob.test("message-close").click();
		actions(this.bob, "Rude words").click();
		assertThat(this.bob.test("message-report-reason")).isHidden();
		this.bob.test("message-report").click();
		assertThat(this.bob.test("message-report")).hasText("Send report");
		this.bob.test("message-report").click();
		assertThat(this.bob.test("message-report-reason")).isFocused();
		this.bob.test("message-report-reason").fill("They are rude");
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.bob.screenshot("message-report-360");
		assertThat(this.bob.overflow()).isZero();
		this.bob.test("message-report").click();
		assertThat(this.bob.test("message-dialog")).isHidden();
		actions(this.bob, "Rude words").click();
		assertThat(this.bob.test("message-report")).hasText("Report");
		assertThat(this.bob.test("message-report-reason")).isHidden();
		this.bob.test("message-close").click();
		assertNoErrors();
	}

	@Test
	void aDeletedMessageIsNoLongerUnread() {
		this.bob.test("back").click();
		this.alice.send("One");
		this.alice.send("Two");
		String room = "aDeletedMessageIsNoLongerUnread";
		assertThat(this.bob.unreadBadge(room)).hasText("2");
		actions(this.alice, "Two").click();
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		assertThat(this.bob.unreadBadge(room)).hasText("1");
		assertThat(this.bob.roomItem(room)).containsText("Message deleted");
		this.bob.reload();
		assertThat(this.bob.unreadBadge(room)).hasText("1");
		assertNoErrors();
	}

	@Test
	void aRefusedEditKeepsItsText() {
		say(this.bob, "To be deleted");
		actions(this.bob, "To be deleted").click();
		this.bob.test("message-edit").click();
		this.bob.test("composer-input").fill("Changed");
		actions(this.alice, "To be deleted").click();
		this.alice.test("message-delete").click();
		this.alice.test("message-delete").click();
		assertThat(this.bob.test("message-deleted")).hasCount(1);
		this.bob.press("Enter");
		assertThat(this.bob.test("composer-error")).hasText("The message is deleted.");
		assertThat(this.bob.test("composer-input")).hasValue("Changed");
	}

}
