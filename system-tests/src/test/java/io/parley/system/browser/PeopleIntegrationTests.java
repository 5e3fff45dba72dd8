package io.parley.system.browser;

import java.time.Duration;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Signs of life that Alice and Bob see of each other: delivered, read, away, and who was
 * last seen when.
 */
@Tag("exhaustive")
class PeopleIntegrationTests extends AliceAndBob {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.presence.last-seen=true");

	PeopleIntegrationTests() {
		super(chromium, server);
	}

	@Test
	void messagesAreDeliveredAndThenRead() {
		this.bob.test("back").click();
		this.alice.send("Text");
		assertThat(this.alice.own("delivered")).hasCount(1);
		assertThat(this.alice.test("delivered")).hasText("Delivered to bob");
		actions(this.alice, "Text").click();
		assertThat(this.alice.test("message-readers-note")).hasText("Nobody yet");
		this.alice.test("message-close").click();
		this.alice.screenshot("delivered-1280");
		this.bob.open("messagesAreDeliveredAndThenRead");
		assertThat(this.alice.own("seen")).hasCount(1);
		assertThat(this.alice.test("seen")).hasText("Seen by bob");
		actions(this.alice, "Text").click();
		assertThat(this.alice.test("reader")).hasText("bob");
		assertThat(this.alice.test("message-readers-note")).isEmpty();
		this.alice.screenshot("readers-1280");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.test("message-close").click();
		actions(this.bob, "Text").click();
		assertThat(this.bob.test("reader")).hasText("bob (you)");
		this.bob.screenshot("readers-360");
		assertThat(this.bob.overflow()).isZero();
		assertThat(this.bob.seriousFindings()).isEmpty();
		assertNoErrors();
	}

	@Test
	void whoDoesNothingForFiveMinutesIsAway() {
		String room = "whoDoesNothingForFiveMinutesIsAway";
		this.bob.controlTime();
		this.bob.reload();
		this.bob.open(room);
		this.alice.test("room-details").click();
		Locator bob = memberBob();
		assertThat(bob).hasAttribute("data-state", "online");
		this.bob.moveTime(Duration.ofMinutes(4));
		this.bob.press("Shift");
		this.bob.moveTime(Duration.ofMinutes(4));
		assertThat(this.bob.test("connection")).hasAttribute("data-state", "online");
		assertThat(bob).hasAttribute("data-state", "online");
		this.bob.moveTime(Duration.ofMinutes(2));
		assertThat(bob).hasAttribute("data-state", "away");
		assertThat(bob.getByTestId("member-labels")).containsText("away");
		this.alice.screenshot("away-1280");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.bob.press("Shift");
		assertThat(bob).hasAttribute("data-state", "online");
		assertThat(this.alice.errors()).isEmpty();
	}

	@Test
	void lastSeenIsShownUnlessItIsHidden() {
		this.bob.test("back").click();
		this.bob.close();
		this.alice.test("room-details").click();
		Locator labels = memberBob().getByTestId("member-labels");
		assertThat(labels).containsText("offline");
		assertThat(labels).containsText("last seen ");
		this.alice.screenshot("last-seen-1280");
		this.alice.test("details-close").click();
		this.alice.test("account-open").click();
		this.alice.test("hide-last-seen").check();
		this.alice.screenshot("hide-last-seen-1280");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.test("account-close").click();
		this.alice.test("room-details").click();
		assertThat(labels).not().containsText("last seen");
		this.alice.test("details-close").click();
		this.alice.test("account-open").click();
		assertThat(this.alice.test("hide-last-seen")).isChecked();
		this.alice.test("hide-last-seen").uncheck();
		this.alice.test("account-close").click();
		assertThat(this.alice.errors()).isEmpty();
	}

	/** Returns Bob in the open list of members. */
	private Locator memberBob() {
		return this.alice.root().locator("[data-testid=member][data-member=bob]");
	}

}
