package io.parley.system.browser;

import java.io.IOException;

import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/** The sign-in card shows what the server offers. */
class SignInOptionsIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess();

	private ChatPage page;

	@BeforeEach
	void open() {
		this.page = new ChatPage(chromium.browser(), 360, 740);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void withOpenRegistrationAnAccountCanBeCreated() throws Exception {
		visit();
		this.page.test("signin-toggle").click();
		this.page.test("signin-username").fill("grace");
		this.page.test("signin-password").fill("several words in a row");
		this.page.test("signin-submit").click();
		assertThat(this.page.test("me")).hasText("grace");
	}

	@ParameterizedTest
	@ValueSource(strings = { "closed", "invite" })
	void otherwiseItCanNot(String registration) throws Exception {
		this.server.with("--chat.security.registration=" + registration);
		addIssuer(0, "Example");
		visit();
		assertThat(this.page.test("issuer")).isVisible();
		assertThat(this.page.test("signin-submit")).isVisible();
		assertThat(this.page.test("signin-toggle")).isHidden();
	}

	@Test
	void withoutItsOwnSignInThereAreIssuersOnly() throws Exception {
		this.server.with("--chat.security.local-sign-in=false");
		addIssuer(0, "<i>One</i>");
		addIssuer(1, "Two");
		visit();
		assertThat(this.page.test("issuer")).hasText(new String[] { "Sign in with <i>One</i>", "Sign in with Two" });
		assertThat(this.page.test("signin-password")).isHidden();
		assertThat(this.page.test("signin-toggle")).isHidden();
	}

	@Test
	void aServerThatDoesNotAnswerOffersItsOwn() throws Exception {
		this.page.failAlways("/api/auth/options");
		visit();
		this.page.awaitFailure("GET /api/auth/options");
		assertThat(this.page.test("signin-toggle")).isVisible();
		assertThat(this.page.test("signin-submit")).isVisible();
		assertThat(this.page.test("issuer")).hasCount(0);
	}

	private void addIssuer(int index, String name) {
		String prefix = "--chat.security.issuers[" + index + "].";
		this.server.with(prefix + "name=" + name, prefix + "issuer=https://" + index + ".example.org",
				prefix + "secret=known to the issuer and to this server", prefix + "audience=chat",
				prefix + "client-id=page");
	}

	private void visit() throws IOException {
		this.server.start();
		this.page.visit(this.server.url());
	}

}
