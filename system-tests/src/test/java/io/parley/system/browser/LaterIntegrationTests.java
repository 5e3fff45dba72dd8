package io.parley.system.browser;

import java.util.List;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Alice and Bob write messages that they do not send yet. */
@Tag("exhaustive")
class LaterIntegrationTests extends AliceAndBob {

	private static final String KEPT = "localStorage.getItem(JSON.stringify(['parley.drafts', 'alice']))";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.scheduled.min-delay=1ms");

	LaterIntegrationTests() {
		super(chromium, server);
	}

	private static Locator input(ChatPage page) {
		return page.test("composer-input");
	}

	@Test
	void aDraftSurvivesAReloadAndIsOnAllDevices() {
		say(this.bob, "Question");
		actions(this.alice, "Question").click();
		this.alice.test("message-answer").click();
		this.alice.type("Half an ans");
		this.alice.reload();
		this.alice.open("aDraftSurvivesAReloadAndIsOnAllDevices");
		assertThat(input(this.alice)).hasValue("Half an ans");
		assertThat(this.alice.test("answering")).isVisible();
		try (ChatPage phone = new ChatPage(chromium.browser(), 360, 740)) {
			phone.signIn(server.url(), "alice");
			phone.open("aDraftSurvivesAReloadAndIsOnAllDevices");
			assertThat(input(phone)).hasValue("Half an ans");
			phone.type("wer");
			assertThat(input(this.alice)).hasValue("Half an answer");
			phone.test("composer-send").click();
			assertThat(input(this.alice)).hasValue("");
			assertThat(this.alice.test("answering")).isHidden();
			assertThat(this.bob.messages().last()).hasText("Half an answer");
			phone.reload();
			phone.open("aDraftSurvivesAReloadAndIsOnAllDevices");
			assertThat(phone.messages().last()).hasText("Half an answer");
			assertThat(input(phone)).hasValue("");
		}
		assertNoErrors();
	}

	@Test
	void aDraftOfAThreadIsKeptApart() {
		say(this.bob, "Root");
		this.alice.type("in the room");
		actions(this.alice, "Root").click();
		this.alice.test("message-thread").click();
		assertThat(this.alice.test("thread-input")).hasValue("");
		this.alice.test("thread-input").pressSequentially("in the thread");
		this.alice.test("thread-close").click();
		actions(this.alice, "Root").click();
		this.alice.test("message-thread").click();
		assertThat(this.alice.test("thread-input")).hasValue("in the thread");
		assertThat(input(this.alice)).hasValue("in the room");
		this.alice.test("thread-send").click();
		assertThat(this.alice.test("thread-input")).hasValue("");
		assertThat(input(this.alice)).hasValue("in the room");
		assertNoErrors();
	}

	/** One key per user: no name is the beginning of another key. */
	@Test
	void draftsOfOthersAndBrokenOnesDoNotMatter() {
		this.alice.evaluate("() => localStorage.setItem(JSON.stringify(['parley.drafts', 'alice.b']), '[]')");
		for (String broken : List.of("{", "7", "null", "[7]", "[{\"room\":1}]", "[null]")) {
			this.alice.evaluate("() => { addEventListener('pagehide', () => localStorage.setItem("
					+ "JSON.stringify(['parley.drafts', 'alice']), '" + broken + "')); }");
			this.alice.reload();
			this.alice.open("draftsOfOthersAndBrokenOnesDoNotMatter");
			assertThat(input(this.alice)).hasValue("");
			assertThat(this.alice.test("connection")).hasAttribute("data-state", "online");
		}
		this.alice.type("text");
		this.alice.await(() -> String.valueOf(this.alice.evaluate("() => " + KEPT)).contains("text"));
		assertThat(this.alice.evaluate("() => localStorage.getItem(JSON.stringify(['parley.drafts', 'alice.b']))"))
			.isEqualTo("[]");
		assertNoErrors();
	}

	@Test
	void aMessageIsScheduledChangedAndCancelled() {
		this.alice.type("Good morning");
		this.alice.test("composer-later").click();
		assertThat(this.alice.test("later-text")).hasValue("Good morning");
		assertThat(this.alice.test("later-at")).isFocused();
		this.alice.test("later-at").fill("2020-01-01T08:00");
		this.alice.test("later-submit").click();
		assertThat(this.alice.test("later-error")).hasText("Choose a time in the future.");
		assertThat(this.alice.seriousFindings()).isEmpty();
		this.alice.screenshot("later-1280");
		this.alice.test("later-at").fill(inADay());
		this.alice.test("later-submit").click();
		assertThat(this.alice.test("later-dialog")).isHidden();
		assertThat(input(this.alice)).hasValue("");
		this.alice.test("scheduled-open").click();
		Locator item = this.alice.test("scheduled-item");
		assertThat(item).hasCount(1);
		assertThat(item).containsText("Good morning");
		assertThat(this.alice.test("scheduled-state")).containsText("Will be sent");
		assertThat(this.alice.seriousFindings()).isEmpty();
		assertThat(this.alice.overflow()).isZero();
		this.alice.screenshot("scheduled-1280");
		this.alice.test("scheduled-edit").click();
		this.alice.test("later-text").fill("Good evening");
		this.alice.test("later-submit").click();
		assertThat(item).containsText("Good evening");
		this.alice.test("scheduled-cancel").click();
		this.alice.test("scheduled-cancel").click();
		assertThat(this.alice.test("no-scheduled")).isVisible();
		this.alice.test("scheduled-close").click();
		assertThat(this.alice.test("scheduled-open")).isHidden();
		assertThat(this.bob.messages()).hasCount(0);
		assertNoErrors();
	}

	/** Calls the API as the user of a page. */
	private static void call(ChatPage page, String room, String method, String path, String body) {
		page.evaluate(
				"""
						async () => {
							const headers = {
								Authorization: `Bearer ${JSON.parse(sessionStorage.getItem("parley.tokens")).accessToken}`,
								"Content-Type": "application/json",
							};
							const rooms = await (await fetch("/api/rooms", { headers })).json();
							const { id } = rooms.find(({ name }) => name === "ROOM");
							const answer = await fetch(`/api/rooms/${id}/PATH`, { method: "METHOD", headers, body: JSON.stringify(BODY) });
							if (!answer.ok) {
								throw new Error(await answer.text());
							}
						}"""
					.replace("ROOM", room)
					.replace("PATH", path)
					.replace("METHOD", method)
					.replace("BODY", body));
	}

	private String inADay() {
		return (String) this.alice.evaluate("() => { const at = new Date(Date.now() + 86400000);"
				+ " return new Date(at - at.getTimezoneOffset() * 60000).toISOString().slice(0, 16); }");
	}

	@Test
	void aReplyThatCannotBeSentIsShownWithTheReason() {
		say(this.alice, "Root");
		actions(this.bob, "Root").click();
		this.bob.test("message-thread").click();
		this.bob.test("thread-input").fill("Too late");
		this.bob.test("thread-later").click();
		assertThat(this.bob.test("later-about")).containsText("thread");
		this.bob.test("later-at").fill(inADay());
		this.bob.test("later-submit").click();
		assertThat(this.bob.test("thread-input")).hasValue("");
		this.bob.test("thread-close").click();
		this.bob.test("back").click();
		String room = "aReplyThatCannotBeSentIsShownWithTheReason";
		call(this.alice, room, "PUT", "mutes/bob", "{ until: new Date(Date.now() + 600_000).toISOString() }");
		call(this.bob, room, "POST", "scheduled",
				"{ clientId: \"c\", text: \"Not sent\", sendAt: new Date(Date.now() + 5_000).toISOString() }");
		assertThat(this.bob.test("scheduled-failed")).hasAccessibleName("1 not sent");
		this.bob.test("scheduled-open").click();
		Locator failed = this.bob.test("scheduled-item").filter(new Locator.FilterOptions().setHasText("Not sent"));
		assertThat(failed.getByTestId("scheduled-state")).containsText("You are muted in this room");
		assertThat(this.bob.test("scheduled-item")).hasCount(2);
		assertThat(this.bob.overflow()).isZero();
		assertThat(this.bob.seriousFindings()).isEmpty();
		this.bob.screenshot("scheduled-360");
		assertNoErrors();
	}

}
