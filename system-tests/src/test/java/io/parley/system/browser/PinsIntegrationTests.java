package io.parley.system.browser;

import java.util.List;
import java.util.regex.Pattern;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice owns a room. She and Bob pin messages, and she changes its settings. */
@Tag("exhaustive")
class PinsIntegrationTests extends AliceAndBob {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	PinsIntegrationTests() {
		super(chromium, server);
	}

	private static void pin(ChatPage page, String text) {
		actions(page, text).click();
		page.test("message-pin").click();
		assertThat(page.test("message-dialog")).isHidden();
	}

	@Test
	void aPinIsShownToAllAndEndsInTheList() {
		say(this.bob, "First", "Second");
		pin(this.alice, "First");
		pin(this.alice, "Second");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("message-pinned")).hasCount(2);
			assertThat(page.test("system-line").last())
				.hasText((page == this.alice) ? "You pinned a message." : "alice pinned a message.");
			page.test("pins-open").click();
			assertThat(page.test("pin-item"))
				.hasText(new Pattern[] { Pattern.compile("bob.*Second"), Pattern.compile("bob.*First") });
			assertThat(page.seriousFindings()).isEmpty();
			assertThat(page.overflow()).isZero();
		}
		assertThat(this.bob.test("unpin")).hasCount(0);
		this.bob.screenshot("pins-360");
		this.alice.test("unpin").first().focus();
		this.alice.press("Enter");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("pin-item")).hasCount(1);
		}
		assertThat(this.alice.test("unpin")).isFocused();
		this.bob.test("pin-item").click();
		assertThat(this.bob.test("pins-dialog")).isHidden();
		assertThat(this.bob.root().locator("[data-testid=message]:focus")).containsText("First");
		this.alice.test("unpin").click();
		assertThat(this.alice.test("no-pins")).isVisible();
		assertThat(this.bob.test("message-pinned")).hasCount(0);
		this.bob.reload();
		this.bob.open("aPinIsShownToAllAndEndsInTheList");
		assertThat(this.bob.messages()).hasCount(2);
		assertThat(this.bob.test("message-pinned")).hasCount(0);
		assertNoErrors();
	}

	@Test
	void theOwnerChangesTheRoomAndWhoMayPin() {
		say(this.bob, "Mine");
		actions(this.bob, "Mine").click();
		assertThat(this.bob.test("message-pin")).isHidden();
		this.bob.test("message-close").click();
		this.bob.test("room-details").click();
		assertThat(this.bob.test("settings")).isHidden();
		this.bob.test("details-close").click();
		this.alice.test("room-details").click();
		Locator settings = this.alice.test("settings").locator("summary");
		settings.focus();
		this.alice.press("Enter");
		this.alice.test("settings-name").fill("New name");
		this.alice.test("settings-topic").fill("What we talk about");
		this.alice.test("settings-slow-mode").selectOption("30");
		this.alice.test("settings-member-pins").check();
		this.alice.test("settings-save").click();
		assertThat(this.alice.test("settings-done")).hasText("Saved.");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.screenshot("room-settings-1280");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			assertThat(page.test("room-name")).hasText("New name");
			assertThat(page.test("room-about")).containsText("What we talk about");
			assertThat(page.test("system-line").last()).containsText("named the room New name.");
			assertThat(page.overflow()).isZero();
		}
		pin(this.bob, "Mine");
		assertThat(this.alice.test("message-pinned")).hasCount(1);
		this.alice.test("settings-name").fill("");
		this.alice.test("settings-save").click();
		assertThat(this.alice.test("settings-error")).hasText("Enter a name.");
		this.bob.reload();
		this.bob.open("New name");
		assertThat(this.bob.test("message-pinned")).hasCount(1);
		assertNoErrors();
	}

	@Test
	void aModeratorClosesReports() {
		say(this.bob, "Rude words", "More rude words");
		actions(this.alice, "Rude words").click();
		this.alice.test("message-report").click();
		this.alice.test("message-report-reason").fill("Rude");
		this.alice.test("message-report").click();
		assertThat(this.alice.test("message-dialog")).isHidden();
		this.alice.test("room-details").click();
		this.alice.test("reports").locator("summary").click();
		assertThat(this.alice.test("report")).containsText("Reason: Rude");
		assertThat(this.alice.test("report")).containsText("Rude words");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.screenshot("reports-1280");
		this.alice.test("report-show").click();
		assertThat(this.alice.test("details-dialog")).isHidden();
		assertThat(this.alice.root().locator("[data-testid=message]:focus")).containsText("Rude words");
		this.alice.test("room-details").click();
		this.alice.test("reports").locator("summary").click();
		this.alice.test("report-resolve").click();
		assertThat(this.alice.test("no-reports")).isVisible();
		assertNoErrors();
	}

}
