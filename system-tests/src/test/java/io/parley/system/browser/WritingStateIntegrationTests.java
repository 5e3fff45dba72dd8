package io.parley.system.browser;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** A user who may not write is told why, and may write again without a reload. */
class WritingStateIntegrationTests {

	private static final String USER = "carol";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private final ChatApi api = new ChatApi(server.url());

	private String owner;

	private String room;

	private ChatPage page;

	@BeforeEach
	void open(TestInfo test) {
		this.owner = this.api.login("alice", "demo");
		String name = test.getTestMethod().orElseThrow().getName();
		this.room = this.api.createRoom(this.owner, name, List.of(USER));
		this.page = new ChatPage(chromium.browser(), 360, 740);
		this.page.controlTime();
		this.page.signIn(server.url(), USER);
		this.page.open(name);
		assertThat(this.page.test("composer-input")).isEnabled();
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void aReaderReadsOnlyAndKeepsTheDraft() {
		this.page.type("Not sent yet");
		assertThat(this.page.focused()).isEqualTo("composer-input");
		this.api.changeRole(this.owner, this.room, USER, "reader");
		assertDisabled("You can read here, but not write: your role is reader.");
		this.api.changeRole(this.owner, this.room, USER, "member");
		assertEnabled();
		assertThat(this.page.test("composer-input")).hasValue("Not sent yet");
		assertThat(this.page.test("composer-input")).isFocused();
		this.page.press("Enter");
		assertThat(this.page.messages()).hasText("Not sent yet");
		assertThat(this.page.errors()).isEmpty();
	}

	@Test
	void aMuteEndsByItself() {
		this.api.mute(this.owner, this.room, USER, Instant.now().plus(Duration.ofMinutes(10)));
		assertThat(this.page.test("composer-state")).containsText("You are muted until");
		assertThat(this.page.test("composer-input")).isDisabled();
		this.page.moveTime(Duration.ofMinutes(9));
		assertThat(this.page.test("composer-input")).isDisabled();
		this.page.moveTime(Duration.ofMinutes(2));
		assertEnabled();
	}

	@Test
	void aSuspendedUserReadsOnlyUntilTheyAreReactivated() {
		this.api.setState(this.owner, USER, "suspended");
		try {
			this.page.type("H");
			assertDisabled("Your account is suspended: you can read, but not write. Ask an operator.");
			this.page.reload();
			this.page.open("aSuspendedUserReadsOnlyUntilTheyAreReactivated");
			assertDisabled("Your account is suspended: you can read, but not write. Ask an operator.");
		}
		finally {
			this.api.setState(this.owner, USER, "active");
		}
		assertEnabled();
		this.page.send("Hello");
		assertThat(this.page.messages()).hasText("Hello");
	}

	private void assertDisabled(String reason) {
		assertThat(this.page.test("composer-state")).hasText(reason);
		assertThat(this.page.test("composer-input")).isDisabled();
		assertThat(this.page.test("composer-send")).isDisabled();
	}

	private void assertEnabled() {
		assertThat(this.page.test("composer-input")).isEnabled();
		assertThat(this.page.test("composer-send")).isEnabled();
		assertThat(this.page.test("composer-state")).isEmpty();
	}

}
