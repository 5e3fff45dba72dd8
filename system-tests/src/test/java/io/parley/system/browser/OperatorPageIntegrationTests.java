package io.parley.system.browser;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.microsoft.playwright.options.ColorScheme;
import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page for operators shows each list, fits on phones and desktops, and axe-core finds
 * nothing serious. Takes a screenshot of each.
 */
@Tag("exhaustive")
class OperatorPageIntegrationTests {

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	static Stream<Arguments> looks() {
		return Stream.of(Arguments.of(360, 740, ColorScheme.LIGHT), Arguments.of(1280, 800, ColorScheme.LIGHT),
				Arguments.of(1280, 800, ColorScheme.DARK));
	}

	@ParameterizedTest
	@MethodSource("looks")
	void showsEachList(int width, int height, ColorScheme colors) {
		ChatApi api = new ChatApi(server.url());
		String name = "Team <b>Blue</b> " + width + colors;
		String room = api.createRoom(api.login("bob", "demo"), name, List.of("carol"));
		try (ChatPage page = new ChatPage(chromium.browser(), width, height, colors)) {
			page.visit(server.url().resolve("/operator.html"));
			check(page, "sign-in", width, colors);
			signIn(page, "alice");
			assertThat(page.test("table")).containsText("carol");
			check(page, "users", width, colors);
			page.test("section-rooms").click();
			page.test("filter-search").fill(name.toLowerCase(Locale.ROOT));
			page.test("load").click();
			assertThat(page.test("table")).containsText(name);
			assertThat(page.test("table").locator("tbody tr")).hasCount(1);
			check(page, "rooms", width, colors);
			page.test("table").locator("a").first().click();
			assertThat(page.test("section-title")).hasText("Members");
			assertThat(page.test("filter-room")).hasValue(room);
			assertThat(page.test("table").locator("tbody tr")).hasCount(2);
			page.test("table").locator("a:text('sign-ins')").first().click();
			assertThat(page.test("filter-user")).hasValue("bob");
			assertThat(page.test("table").locator("tbody tr").first()).isVisible();
			page.test("section-audit").click();
			assertThat(page.test("table")).containsText("operator_read");
			check(page, "audit", width, colors);
			page.test("section-readers").click();
			assertThat(page.test("table")).containsText("notification");
			page.test("section-parked").click();
			assertThat(page.test("list-note")).hasText("Nothing to show.");
			page.test("section-reports").click();
			assertThat(page.test("list-note")).hasText("Nothing to show.");
			page.test("section-push-log").click();
			assertThat(page.test("list-note")).hasText("Fill in: User, Id of the room.");
			page.test("filter-user").fill("carol");
			page.test("filter-room").fill(room);
			page.test("load").click();
			assertThat(page.test("list-note")).containsText("nothing is waiting");
			check(page, "push-log", width, colors);
			assertThat(page.errors()).isEmpty();
		}
	}

	@Test
	void isForOperatorsOnly() {
		try (ChatPage page = new ChatPage(chromium.browser(), 1280, 800)) {
			page.visit(server.url().resolve("/operator.html#constructor"));
			signIn(page, "bob");
			assertThat(page.test("signin-error")).hasText("Only operators may do this.");
			assertThat(page.test("table")).isHidden();
			signIn(page, "alice");
			assertThat(page.test("section-title")).hasText("Users");
			page.test("section-sign-ins").click();
			page.test("filter-user").fill("no one");
			page.test("load").click();
			assertThat(page.test("list-error")).hasText("There is no user 'no one'.");
			page.test("signout").click();
			assertThat(page.test("signin-lead")).hasText("You are signed out.");
			assertThat(page.test("table")).isHidden();
		}
	}

	private static void signIn(ChatPage page, String user) {
		page.test("signin-username").fill(user);
		page.test("signin-password").fill("demo");
		page.test("signin-submit").click();
	}

	private static void check(ChatPage page, String name, int width, ColorScheme colors) {
		page.screenshot("operator-" + name + "-" + width + "-" + colors.name().toLowerCase(Locale.ROOT));
		assertThat(page.overflow()).as("too wide by").isLessThanOrEqualTo(0);
		assertThat(page.seriousFindings()).isEmpty();
	}

}
