package io.parley.system.browser;

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

/** A user changes the password and signs devices out. */
class AccountDialogIntegrationTests {

	private static final String NEW_PASSWORD = "chosen in the dialog of the account";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private final ChatApi api = new ChatApi(server.url());

	/** Each test has its own user. */
	private String user;

	private ChatPage desktop;

	private ChatPage phone;

	@BeforeEach
	void signIn(TestInfo test) {
		this.user = test.getTestMethod().orElseThrow().getName().substring(0, 12);
		this.api.register(this.user);
		this.desktop = new ChatPage(chromium.browser(), 1280, 800);
		this.phone = new ChatPage(chromium.browser(), 360, 740);
		for (ChatPage page : new ChatPage[] { this.desktop, this.phone }) {
			page.signIn(server.url(), this.user, ChatApi.password(this.user));
			assertThat(page.test("me")).hasText(this.user);
		}
		this.desktop.test("account-open").click();
		assertThat(this.desktop.test("device")).hasCount(2);
	}

	@AfterEach
	void close() {
		this.desktop.close();
		this.phone.close();
	}

	@Test
	void changesThePasswordAndSignsOutAllOthers() {
		changePassword("", NEW_PASSWORD, NEW_PASSWORD);
		assertThat(this.desktop.test("password-error")).hasText("Enter your current password.");
		changePassword(ChatApi.password(this.user), NEW_PASSWORD, "another one");
		assertThat(this.desktop.test("password-error")).hasText("The two new passwords are different.");
		changePassword(ChatApi.password(this.user), "short", "short");
		assertThat(this.desktop.test("password-error")).containsText("15 to 256");
		changePassword("not the current one", NEW_PASSWORD, NEW_PASSWORD);
		assertThat(this.desktop.test("password-error")).hasText("The current password is wrong.");
		assertThat(this.phone.test("signin-submit")).isHidden();
		changePassword(ChatApi.password(this.user), NEW_PASSWORD, NEW_PASSWORD);
		assertThat(this.desktop.test("password-done"))
			.hasText("Your password is changed. All other devices are signed out.");
		assertThat(this.desktop.test("password-error")).isEmpty();
		assertThat(this.desktop.test("device")).hasCount(1);
		assertThat(this.desktop.test("password-new")).hasValue("");
		assertThat(this.phone.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(this.phone.stored()).isEmpty();
		assertThat(this.api.login(this.user, NEW_PASSWORD)).isNotEmpty();
	}

	@Test
	void explainsTooManyAttempts() {
		for (int attempt = 0; attempt < 20 && !limited(); attempt++) {
			changePassword("guess " + attempt, NEW_PASSWORD, NEW_PASSWORD);
			assertThat(this.desktop.test("password-submit")).isEnabled();
		}
		assertThat(this.desktop.test("password-error")).containsText("Too many attempts. Try again in");
	}

	@Test
	void endsOneDevice() {
		Locator other = device(false);
		assertThat(device(true)).containsText("Chrome on");
		assertThat(device(true)).containsText("this device");
		assertThat(device(true).getByTestId("end-device")).hasCount(0);
		assertThat(other).containsText("Signed in");
		assertThat(other).containsText("last used");
		other.getByTestId("end-device").focus();
		this.desktop.press("Enter");
		assertThat(this.desktop.test("devices-note")).containsText("is signed out.");
		assertThat(this.desktop.test("device")).hasCount(1);
		assertThat(this.phone.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(this.desktop.test("end-others")).isHidden();
	}

	@Test
	void endsAllOthersAfterAQuestion() {
		this.api.login(this.user);
		this.desktop.test("account-close").click();
		this.desktop.test("account-open").click();
		assertThat(this.desktop.test("device")).hasCount(3);
		this.desktop.test("end-others").click();
		assertThat(this.desktop.test("end-others")).hasText("Really sign out all others?");
		assertThat(this.phone.test("signin-submit")).isHidden();
		this.desktop.test("end-others").click();
		assertThat(this.desktop.test("devices-note")).hasText("All other devices are signed out.");
		assertThat(this.desktop.test("device")).hasCount(1);
		assertThat(this.phone.test("signin-submit")).isVisible();
		assertThat(this.desktop.test("me")).hasText(this.user);
	}

	@Test
	void signsOutWithoutANotice() {
		this.desktop.press("Escape");
		assertThat(this.desktop.focused()).isEqualTo("account-open");
		this.desktop.test("signout").click();
		assertThat(this.desktop.test("signin-lead")).hasText("Sign in to continue.");
		assertThat(this.phone.test("me")).hasText(this.user);
	}

	private boolean limited() {
		return this.desktop.test("password-error").textContent().contains("Too many");
	}

	private Locator device(boolean current) {
		return this.desktop.test("devices").locator("[data-current=" + current + "]");
	}

	private void changePassword(String current, String password, String again) {
		this.desktop.test("password-current").fill(current);
		this.desktop.test("password-new").fill(password);
		this.desktop.test("password-again").fill(again);
		this.desktop.test("password-submit").click();
	}

}
