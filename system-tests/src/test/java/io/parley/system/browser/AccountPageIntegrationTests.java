package io.parley.system.browser;

import java.net.URI;

import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** People register and set passwords on the page of a link. */
class AccountPageIntegrationTests {

	private static final String PASSWORD = "chosen on the page of a link";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.security.registration=invite");

	private ChatApi api;

	private String operator;

	private ChatPage page;

	@BeforeEach
	void open() {
		this.api = new ChatApi(server.url());
		this.operator = this.api.login("alice", "demo");
		this.page = new ChatPage(chromium.browser(), 390, 844);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void anInvitedPersonRegistersAndSignsIn() {
		visit(this.api.inviteLink(this.operator));
		assertThat(this.page.test("account-title")).hasText("Create your account");
		submit("dora", PASSWORD, "another one");
		assertThat(this.page.test("account-error")).hasText("The two passwords are different.");
		submit("dora", "short", "short");
		assertThat(this.page.test("account-error")).containsText("15 to 256");
		submit("dora", PASSWORD, PASSWORD);
		assertThat(this.page.test("account-lead")).hasText("Your account is ready. Sign in with it.");
		assertThat(this.page.url()).isEqualTo(server.url().resolve("/account.html").toString());
		assertThat(this.api.login("dora", PASSWORD)).isNotEmpty();
		this.page.test("account-home").click();
		assertThat(this.page.test("signin-username")).isVisible();
	}

	@Test
	void aUserSetsAPasswordOnce() {
		String link = this.api.resetLink(this.operator, "carol");
		visit(link);
		assertThat(this.page.test("account-title")).hasText("Choose a new password");
		assertThat(this.page.test("account-username")).isHidden();
		submit("", PASSWORD, PASSWORD);
		assertThat(this.page.test("account-lead")).hasText("Your password is set. Sign in with it.");
		assertThat(this.api.login("carol", PASSWORD)).isNotEmpty();
		visit(link);
		submit("", PASSWORD, PASSWORD);
		assertThat(this.page.test("account-error")).containsText("ask an operator for a new one");
	}

	@Test
	void withoutALinkThereIsNothingToFillIn() {
		visit("/account.html");
		assertThat(this.page.test("account-lead")).hasText("Open the link that you were sent.");
		assertThat(this.page.test("account-submit")).isHidden();
	}

	private void visit(String path) {
		this.page.visit(URI.create("about:blank"));
		this.page.visit(server.url().resolve(path));
	}

	private void submit(String name, String password, String again) {
		if (!name.isEmpty()) {
			this.page.test("account-username").fill(name);
		}
		this.page.test("account-password").fill(password);
		this.page.test("account-again").fill(again);
		this.page.test("account-submit").click();
	}

}
