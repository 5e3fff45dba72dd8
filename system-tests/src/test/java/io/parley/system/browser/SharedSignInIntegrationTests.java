package io.parley.system.browser;

import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two tabs with the same sign-in. Access tokens last six seconds here, and a refresh
 * token is accepted exactly once.
 */
class SharedSignInIntegrationTests {

	private static final int REFRESHES = 6;

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.security.jwt.access-ttl=6s",
			"--chat.security.refresh-grace=0s");

	private ChatPage first;

	private ChatPage second;

	@BeforeEach
	void signIn() {
		this.first = new ChatPage(chromium.browser(), 1280, 800);
		this.first.signIn(server.url(), "alice");
		assertThat(this.first.test("me")).hasText("alice");
		this.second = this.first.duplicate();
		assertThat(this.second.test("me")).hasText("alice");
	}

	@AfterEach
	void close() {
		this.first.close();
	}

	@Test
	void refreshInTurnWithoutAnAlarm() {
		this.first.awaitAnswers("/api/auth/refresh", 200, REFRESHES);
		assertThat(this.first.answers("/api/auth/refresh", 401)).isZero();
		assertThat(this.first.test("signin-submit")).isHidden();
		assertThat(this.second.test("signin-submit")).isHidden();
		this.second.reload();
		assertThat(this.second.test("me")).hasText("alice");
	}

	@Test
	void signOutTogetherAndDoNotReconnect() {
		this.first.test("signout").click();
		assertThat(this.first.test("signin-submit")).isVisible();
		assertThat(this.second.test("signin-submit")).isVisible();
		assertThat(this.first.answers("/api/auth/logout", 204)).isEqualTo(1);
		assertThat(this.first.stored()).isEmpty();
		assertThat(this.second.stored()).isEmpty();
	}

}
