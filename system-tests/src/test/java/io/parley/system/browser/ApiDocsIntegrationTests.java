package io.parley.system.browser;

import java.util.Locale;
import java.util.stream.Stream;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.ColorScheme;
import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The page of the interfaces shows both documents, fits on phones and desktops, and
 * axe-core finds nothing serious. Takes a screenshot of each.
 */
@Tag("exhaustive")
class ApiDocsIntegrationTests {

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
	void showsBothDocuments(int width, int height, ColorScheme colors) {
		try (ChatPage page = new ChatPage(chromium.browser(), width, height, colors)) {
			page.visit(server.url().resolve("/api-docs.html"));
			assertThat(page.test("level")).hasText("1");
			page.test("filter").fill("/messages");
			Locator post = page.test("http").locator("[data-name='post /api/rooms/{room}/messages']");
			post.locator("summary").first().click();
			assertThat(post.getByText("clientId", new Locator.GetByTextOptions().setExact(true)).first()).isVisible();
			assertThat(post).containsText("muted, not-a-member, not-allowed, suspended");
			check(page, "http", width, colors);
			page.test("filter").fill("reaction.changed");
			assertThat(page.test("http").locator(".entry:visible")).hasCount(0);
			Locator event = page.test("stomp").locator(".entry:visible");
			assertThat(event).hasCount(1);
			event.locator("summary").first().click();
			assertThat(event).containsText("counts");
			assertThat(event).containsText("prev");
			check(page, "stomp", width, colors);
			assertThat(page.errors()).isEmpty();
		}
	}

	private static void check(ChatPage page, String name, int width, ColorScheme colors) {
		page.screenshot("api-docs-" + name + "-" + width + "-" + colors.name().toLowerCase(Locale.ROOT));
		assertThat(page.overflow()).as("too wide by").isLessThanOrEqualTo(0);
		assertThat(page.seriousFindings()).isEmpty();
	}

}
