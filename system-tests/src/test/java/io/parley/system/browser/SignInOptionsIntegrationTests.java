package io.parley.system.browser;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

/** The sign-in card shows what the server offers. */
class SignInOptionsIntegrationTests {

	private static final double PATIENCE_MILLIS = 60_000;

	private static final String ISSUER = "{\"name\":\"%s\",\"issuer\":\"https://login.example.org\",\"clientId\":\"p\","
			+ "\"scope\":\"openid\",\"authorizationEndpoint\":null,\"tokenEndpoint\":null}";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private ChatPage page;

	@BeforeAll
	static void setTimeouts() {
		PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
	}

	@BeforeEach
	void open() {
		this.page = new ChatPage(chromium.browser(), 360, 740);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void withOpenRegistrationAnAccountCanBeCreated() {
		offer(true, "open", "");
		this.page.test("signin-toggle").click();
		this.page.test("signin-username").fill("grace");
		this.page.test("signin-password").fill("several words in a row");
		this.page.test("signin-submit").click();
		assertThat(this.page.test("me")).hasText("grace");
	}

	@Test
	void otherwiseItCanNot() {
		for (String registration : new String[] { "closed", "invite" }) {
			offer(true, registration, ISSUER.formatted("Example"));
			assertThat(this.page.test("issuer")).isVisible();
			assertThat(this.page.test("signin-submit")).isVisible();
			assertThat(this.page.test("signin-toggle")).isHidden();
		}
	}

	@Test
	void withoutItsOwnSignInThereAreIssuersOnly() {
		offer(false, "closed", ISSUER.formatted("<i>One</i>") + "," + ISSUER.formatted("Two"));
		assertThat(this.page.test("issuer")).hasText(new String[] { "Sign in with <i>One</i>", "Sign in with Two" });
		assertThat(this.page.test("signin-password")).isHidden();
		assertThat(this.page.test("signin-toggle")).isHidden();
	}

	@Test
	void aServerThatDoesNotSayOffersItsOwn() {
		this.page.offer(404, "{}");
		this.page.visit(server.url());
		assertThat(this.page.test("signin-toggle")).isVisible();
		assertThat(this.page.test("signin-submit")).isVisible();
		assertThat(this.page.test("issuer")).hasCount(0);
	}

	private void offer(boolean local, String registration, String issuers) {
		this.page.offer(200, "{\"localSignIn\":%s,\"registration\":\"%s\",\"issuers\":[%s]}".formatted(local,
				registration, issuers));
		this.page.visit(server.url());
	}

}
