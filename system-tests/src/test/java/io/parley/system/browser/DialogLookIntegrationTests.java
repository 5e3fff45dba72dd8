package io.parley.system.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The dialogs fit on phones and desktops, light and dark, and axe-core finds nothing
 * serious. Takes a screenshot of each.
 */
@Tag("exhaustive")
class DialogLookIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.security.issuers[0].name=Example",
			"--chat.security.issuers[0].issuer=https://login.example.org", "--chat.security.issuers[0].audience=chat",
			"--chat.security.issuers[0].secret=known to the issuer and to this server",
			"--chat.security.issuers[0].client-id=page");

	private Look look;

	private ChatPage page;

	@BeforeEach
	void makeRoom() {
		ChatApi api = new ChatApi(server.url());
		String owner = api.login("alice", "demo");
		if (api.hasRoom(owner, "Look")) {
			return;
		}
		String room = api.createPrivateChannel(owner, "Look", List.of("bob", "carol"));
		String bob = api.login("bob", "demo");
		api.post(bob, room, "c",
				"A message that is pinned and reported, and long enough for more than one line on a phone");
		long position = api.view(owner, room).getFirst().path("position").asLong();
		api.pin(owner, room, position);
		api.report(owner, room, position, "It is an example");
		api.changeRole(owner, room, "carol", "reader");
		api.mute(owner, room, "bob", Instant.now().plus(Duration.ofHours(1)));
		api.openDirect(owner, "carol");
		api.block(owner, "carol");
		api.roomInvite(owner, room);
		api.register("somebody.with_a_name-of-32-signs");
		api.join(owner, room, "somebody.with_a_name-of-32-signs");
	}

	@ParameterizedTest
	@MethodSource("io.parley.system.browser.Look#all")
	void fitsAndIsAccessible(Look given) {
		this.look = given;
		try (ChatPage shown = given.open(chromium)) {
			this.page = shown;
			signIn();
			account();
			details();
			pins();
			composer();
			newChannel();
			assertThat(shown.errors()).isEmpty();
		}
	}

	private void signIn() {
		this.page.visit(server.url());
		assertThat(this.page.test("issuer")).isVisible();
		assertThat(this.page.test("demo-alice")).isVisible();
		check("signin");
		this.page.test("demo-alice").click();
		assertThat(this.page.test("me")).hasText("alice");
	}

	private void account() {
		this.page.test("account-open").click();
		assertThat(this.page.test("device").first()).isVisible();
		assertThat(this.page.test("blocked-user")).hasCount(1);
		this.page.test("password-current").fill("demo");
		this.page.test("password-submit").click();
		assertThat(this.page.test("password-error")).hasText("Enter a new password.");
		check("account");
		this.page.test("account-close").click();
	}

	private void details() {
		this.page.open("Look");
		this.page.test("room-details").click();
		assertThat(this.page.test("member")).hasCount(4);
		for (String user : List.of("bob", "carol")) {
			this.page.test("members").locator("[data-member=" + user + "]").getByTestId("member-manage").click();
		}
		check("details-members");
		this.page.test("settings").locator("summary").click();
		this.page.test("settings-slow-mode")
			.selectOption(this.page.test("settings-slow-mode").inputValue().equals("0") ? "30" : "0");
		this.page.test("settings-save").click();
		assertThat(this.page.test("settings-done")).hasText("Saved.");
		check("details-settings");
		this.page.test("reports").locator("summary").click();
		assertThat(this.page.test("report")).hasCount(1);
		this.page.test("report").scrollIntoViewIfNeeded();
		check("details-reports");
		this.page.test("links").locator("summary").click();
		assertThat(this.page.test("link-item").first()).isVisible();
		this.page.test("make-link").click();
		assertThat(this.page.test("invite-link")).not().hasValue("");
		this.page.test("bans").locator("summary").click();
		assertThat(this.page.test("no-bans")).isVisible();
		check("details-links");
		this.page.test("no-bans").scrollIntoViewIfNeeded();
		check("details-bans");
		this.page.test("details-close").click();
		back();
	}

	private void pins() {
		this.page.open("Look");
		this.page.test("pins-open").click();
		assertThat(this.page.test("pin-item")).hasCount(1);
		check("pins");
		this.page.test("pins-close").click();
		back();
	}

	private void composer() {
		this.page.open("carol");
		assertThat(this.page.test("composer-state")).hasText("You have blocked carol.");
		check("composer-blocked");
		back();
	}

	private void newChannel() {
		this.page.test("new-room").click();
		this.page.test("new-kind-channel").locator("xpath=..").click();
		assertThat(this.page.test("new-private")).isVisible();
		check("new-channel");
		this.page.press("Escape");
	}

	private void back() {
		if (this.page.test("back").isVisible()) {
			this.page.test("back").click();
		}
	}

	private void check(String name) {
		this.look.check(this.page, name);
	}

}
