package io.parley.system.browser;

import java.net.URI;
import java.util.List;
import java.util.regex.Pattern;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice owns a room; she and Bob moderate it in the dialog of the room. */
class RoomDetailsIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private final ChatApi api = new ChatApi(server.url());

	private String owner;

	/** Each test has its own room. */
	private String name;

	private String room;

	private ChatPage alice;

	private ChatPage bob;

	@BeforeEach
	void open(TestInfo test) {
		this.owner = this.api.login("alice", "demo");
		this.name = test.getTestMethod().orElseThrow().getName();
		this.room = this.api.createPrivateChannel(this.owner, this.name, List.of("bob", "carol"));
		this.alice = new ChatPage(chromium.browser(), 1280, 800);
		this.bob = new ChatPage(chromium.browser(), 360, 740);
		this.alice.signIn(server.url(), "alice");
		this.bob.signIn(server.url(), "bob");
		for (ChatPage page : List.of(this.alice, this.bob)) {
			page.open(this.name);
			page.test("room-details").click();
			assertThat(page.test("member")).hasCount(3);
		}
	}

	@AfterEach
	void close() {
		this.alice.close();
		this.bob.close();
	}

	@Test
	void showsWhatTheRoleAllowsWhileItChanges() {
		assertThat(this.bob.test("details-kind")).hasText("A private channel: people join by invitation only.");
		assertThat(this.bob.test("member-role")).hasText(new String[] { "owner", "member", "member" });
		assertThat(this.bob.test("member-manage")).hasCount(0);
		assertThat(this.bob.test("links")).isHidden();
		assertThat(this.bob.test("bans")).isHidden();
		assertThat(this.alice.test("member-manage")).hasCount(2);
		setRole(this.alice, "bob", "moderator");
		assertThat(this.bob.test("member-role")).hasText(new String[] { "owner", "moderator", "member" });
		assertThat(this.bob.test("links")).isVisible();
		assertThat(member(this.bob, "alice").getByTestId("member-manage")).hasCount(0);
		assertThat(options(this.bob, "carol")).hasText(new String[] { "reader", "member" });
		assertThat(options(this.bob, "bob")).hasText(new String[] { "reader", "member", "moderator" });
		assertThat(options(this.alice, "carol")).hasText(new String[] { "reader", "member", "moderator", "owner" });
		setRole(this.alice, "bob", "reader");
		assertThat(this.bob.test("member-manage")).hasCount(0);
		assertThat(this.bob.test("links")).isHidden();
		assertThat(this.bob.test("invite-username")).isHidden();
		assertNoErrors();
	}

	@Test
	void showsChangesByOthersAndKeepsTheFocus() {
		setRole(this.alice, "bob", "moderator");
		manage(this.bob, "carol").getByTestId("member-mute-time").focus();
		this.api.changeRole(this.owner, this.room, "carol", "reader");
		assertThat(member(this.bob, "carol").getByTestId("member-role")).hasText("reader");
		assertThat(member(this.alice, "carol").getByTestId("member-role")).hasText("reader");
		assertThat(this.bob.focused()).isEqualTo("member-mute-time");
		assertThat(member(this.bob, "carol").getByTestId("member-panel")).isVisible();
		assertNoErrors();
	}

	@Test
	void handsOverTheRoom() {
		manage(this.alice, "bob").getByTestId("member-set-role").selectOption("owner");
		Locator handOver = member(this.alice, "bob").getByTestId("member-hand-over");
		handOver.click();
		assertThat(handOver).hasText("Really hand over? You become a moderator");
		handOver.click();
		assertThat(this.alice.test("member-role")).hasText(new String[] { "moderator", "owner", "member" });
		assertThat(this.bob.test("member-role")).hasText(new String[] { "moderator", "owner", "member" });
		assertThat(member(this.alice, "bob").getByTestId("member-manage")).hasCount(0);
		setRole(this.alice, "alice", "member");
		assertThat(this.alice.test("member-manage")).hasCount(0);
		assertNoErrors();
	}

	@Test
	void mutesForATimeAndUnmutes() {
		for (String time : List.of("10 minutes", "1 hour", "1 day")) {
			mute(time);
			assertThat(member(this.alice, "bob").getByTestId("member-labels")).containsText("muted until");
			assertThat(this.bob.test("composer-state")).containsText("You are muted until");
			unmute();
		}
		mute("until lifted");
		assertThat(this.bob.test("composer-state"))
			.hasText("You are muted until a moderator lifts it. You can read meanwhile.");
		unmute();
		assertNoErrors();
	}

	@Test
	void removesAndLiftsTheBan() {
		Locator remove = manage(this.alice, "bob").getByTestId("member-remove");
		remove.click();
		assertThat(remove).hasText("Really remove bob?");
		this.alice.test("details-kind").click();
		assertThat(remove).hasText("Remove and ban");
		remove.click();
		remove.click();
		assertThat(this.alice.test("member")).hasCount(2);
		assertThat(this.bob.test("details-dialog")).isHidden();
		assertThat(this.bob.roomItem(this.name)).hasCount(0);
		this.alice.test("bans").locator("summary").click();
		assertThat(this.alice.test("ban")).hasCount(1);
		assertThat(this.alice.test("ban")).containsText("by alice");
		this.alice.test("lift-ban").click();
		assertThat(this.alice.test("no-bans")).isVisible();
		this.alice.test("invite-username").fill("bob");
		this.alice.test("invite-submit").click();
		assertThat(this.alice.test("member")).hasCount(3);
		assertThat(this.bob.roomItem(this.name)).hasCount(1);
		assertNoErrors();
	}

	@Test
	void makesListsAndRevokesInviteLinks() {
		this.alice.test("links").locator("summary").click();
		this.alice.test("link-uses").fill("0");
		this.alice.test("make-link").click();
		assertThat(this.alice.test("links-error")).containsText("from 1 to 10,000");
		this.alice.test("link-uses").fill("2");
		this.alice.test("link-hours").selectOption("720");
		this.alice.test("make-link").click();
		assertThat(this.alice.test("invite-link")).hasValue(Pattern.compile("#invite=[\\w-]{22}$"));
		assertThat(this.alice.test("links-error")).isEmpty();
		assertThat(this.alice.test("link-item")).containsText("0 of 2 joined");
		String link = this.alice.test("invite-link").inputValue();
		this.alice.test("copy-link").click();
		assertThat(this.alice.test("link-note")).hasText(Pattern.compile("Copied\\.|The link is selected.*"));
		this.api.register("erin");
		this.api.register("frank");
		try (ChatPage erin = joinBy(link, "erin")) {
			assertThat(erin.test("room-name")).hasText(this.name);
			assertThat(erin.url()).isEqualTo(server.url() + "/");
			erin.send("I am in");
			assertThat(this.alice.messages()).hasText("I am in");
		}
		this.alice.test("details-close").click();
		this.alice.test("room-details").click();
		this.alice.test("links").locator("summary").click();
		assertThat(this.alice.test("link-item")).containsText("1 of 2 joined");
		assertThat(this.alice.test("invite-link")).isHidden();
		this.alice.test("revoke-link").click();
		assertThat(this.alice.test("link-item")).hasCount(0);
		try (ChatPage frank = joinBy(link, "frank")) {
			assertThat(frank.test("toast")).isVisible();
			assertThat(frank.roomItem(this.name)).hasCount(0);
		}
	}

	@Test
	void joinsByALinkInTheOpenPage() {
		String link = server.url() + "/#invite=" + this.api.roomInvite(this.owner, this.room);
		try (ChatPage dora = new ChatPage(chromium.browser(), 360, 740)) {
			this.api.register("dora");
			dora.signIn(server.url(), "dora", ChatApi.password("dora"));
			assertThat(dora.test("me")).hasText("dora");
			dora.evaluate("() => { location.hash = '" + link.substring(link.indexOf('#')) + "'; }");
			assertThat(dora.test("room-name")).hasText(this.name);
			dora.test("back").click();
			dora.test("new-room").click();
			dora.test("new-kind-join").locator("xpath=..").click();
			dora.test("new-id").fill(link);
			dora.test("new-submit").click();
			assertThat(dora.test("room-name")).hasText(this.name);
			assertThat(dora.errors()).isEmpty();
		}
	}

	@Test
	void createsOpenAndPrivateChannels() {
		this.alice.test("details-close").click();
		for (boolean invited : new boolean[] { true, false }) {
			this.alice.test("new-room").click();
			this.alice.test("new-kind-channel").locator("xpath=..").click();
			this.alice.test("new-name").fill("Channel " + invited);
			this.alice.test("new-private").setChecked(invited);
			this.alice.test("new-submit").click();
			assertThat(this.alice.test("room-name")).hasText("Channel " + invited);
			this.alice.test("room-details").click();
			assertThat(this.alice.test("details-kind")).containsText(invited ? "private channel" : "open channel");
			this.alice.test("details-close").click();
		}
		assertNoErrors();
	}

	@Test
	void blocksAndUnblocksInTheMemberListAndInADirectRoom() {
		member(this.bob, "carol").getByTestId("member-block").click();
		assertThat(member(this.bob, "carol").getByTestId("member-labels")).containsText("blocked");
		assertThat(member(this.bob, "carol").getByTestId("member-block")).hasText("Unblock");
		this.bob.test("details-close").click();
		this.bob.test("back").click();
		this.bob.test("account-open").click();
		assertThat(this.bob.test("blocked-user")).hasText(Pattern.compile("carol"));
		this.bob.test("unblock").click();
		assertThat(this.bob.test("blocked-user")).hasCount(0);
		this.bob.test("account-close").click();
		this.api.openDirect(this.owner, "bob");
		this.bob.open("alice");
		assertThat(this.bob.test("composer-input")).isEnabled();
		this.bob.test("room-details").click();
		member(this.bob, "alice").getByTestId("member-block").click();
		this.bob.test("details-close").click();
		assertThat(this.bob.test("composer-state")).hasText("You have blocked alice.");
		assertThat(this.bob.test("composer-input")).isDisabled();
		this.bob.test("composer-unblock").focus();
		this.bob.press("Enter");
		assertThat(this.bob.test("composer-input")).isFocused();
		assertThat(this.bob.test("composer-state")).isEmpty();
		assertNoErrors();
	}

	@Test
	void isOperatedByTheKeyboard() {
		member(this.alice, "bob").getByTestId("member-manage").focus();
		this.alice.press("Enter");
		assertThat(member(this.alice, "bob").getByTestId("member-manage")).hasAttribute("aria-expanded", "true");
		this.alice.press("Tab");
		assertThat(this.alice.focused()).isEqualTo("member-set-role");
		this.alice.press("ArrowDown");
		assertThat(member(this.alice, "bob").getByTestId("member-set-role")).hasValue("moderator");
		assertThat(member(this.alice, "bob").getByTestId("member-role")).hasText("member");
		this.alice.press("Tab");
		this.alice.press("Enter");
		assertThat(member(this.alice, "bob").getByTestId("member-role")).hasText("moderator");
		assertThat(this.alice.focused()).isEqualTo("member-save-role");
		this.alice.press("Escape");
		assertThat(this.alice.test("details-dialog")).isHidden();
		assertThat(this.alice.focused()).isEqualTo("room-details");
		assertNoErrors();
	}

	private ChatPage joinBy(String link, String user) {
		ChatPage page = new ChatPage(chromium.browser(), 360, 740);
		page.visit(URI.create(link));
		assertThat(page.test("signin-lead")).hasText("You are invited to a conversation. Sign in to join it.");
		page.test("signin-username").fill(user);
		page.test("signin-password").fill(ChatApi.password(user));
		page.test("signin-submit").click();
		assertThat(page.test("me")).hasText(user);
		return page;
	}

	private void mute(String time) {
		Locator panel = manage(this.alice, "bob");
		panel.getByTestId("member-mute-time").selectOption(time);
		panel.getByTestId("member-mute").click();
		assertThat(panel.getByTestId("member-unmute")).isVisible();
		assertThat(this.bob.test("composer-input")).isDisabled();
	}

	private void unmute() {
		manage(this.alice, "bob").getByTestId("member-unmute").click();
		assertThat(this.bob.test("composer-input")).isEnabled();
		assertThat(this.bob.test("composer-state")).isEmpty();
	}

	private static void setRole(ChatPage page, String user, String role) {
		Locator panel = manage(page, user);
		panel.getByTestId("member-set-role").selectOption(role);
		panel.getByTestId("member-save-role").click();
		assertThat(member(page, user).getByTestId("member-role")).hasText(role);
	}

	private static Locator options(ChatPage page, String user) {
		return member(page, user).getByTestId("member-set-role").locator("option");
	}

	/** Opens what can be done about a member. */
	private static Locator manage(ChatPage page, String user) {
		Locator button = member(page, user).getByTestId("member-manage");
		if ("false".equals(button.getAttribute("aria-expanded"))) {
			button.click();
		}
		return member(page, user).getByTestId("member-panel");
	}

	private static Locator member(ChatPage page, String user) {
		return page.test("members").locator("[data-member=" + user + "]");
	}

	private void assertNoErrors() {
		assertThat(this.alice.errors()).as("errors in the console of Alice").isEmpty();
		assertThat(this.bob.errors()).as("errors in the console of Bob").isEmpty();
	}

}
