package io.parley.system.browser;

import java.util.Set;
import java.util.regex.Pattern;

import io.parley.system.ChatServerProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** A network change aborts requests in flight, including those of the page. */
@Tag("exhaustive")
class PageLoadIntegrationTests {

	private static final String BUNDLE = "/webjars/";

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	/** One file for each way in which the page loads files. */
	private static final Set<String> ONE_OF_EACH_KIND = Set.of("/load.js", "/app.css", "/app.js", "/dom.js",
			"/client/stompjs.js");

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess();

	private ChatPage page;

	@BeforeEach
	void start() {
		this.page = newPage();
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void loadsAfterTheFailureOfAnyFile() {
		this.page.visit(server.url());
		assertAlive(this.page);
		Set<String> files = Set.copyOf(this.page.files());
		assertThat(files).containsAll(ONE_OF_EACH_KIND);
		assertThat(files).as("stompjs is one file").filteredOn((file) -> file.startsWith(BUNDLE)).hasSize(1);
		boolean all = Boolean.getBoolean("parley.test.full-size");
		for (String file : files) {
			if (!all && !ONE_OF_EACH_KIND.contains(file) && !file.startsWith(BUNDLE)) {
				continue;
			}
			try (ChatPage other = newPage()) {
				other.failOnce(file);
				other.visit(server.url());
				assertAlive(other);
				other.awaitFailure("GET " + file);
			}
		}
	}

	@Test
	void loadsAfterTheFailureOfSeveralFiles() {
		this.page.failOnce("/app.js", "/app.css");
		this.page.visit(server.url());
		assertAlive(this.page);
		try (ChatPage other = newPage()) {
			other.failOnce("/dom.js", "/times.js", "/client/outbox.js", "/client/connection.js");
			other.visit(server.url());
			assertAlive(other);
		}
	}

	@Test
	void reportsThatItCannotBeLoaded() {
		this.page.failAlways("/dom.js");
		// The page must not reload by itself before the test clicks.
		this.page.failChecks();
		this.page.visit(server.url());
		assertThat(this.page.test("load-problem"))
			.containsText("The page could not be loaded completely. Check the connection; trying again …");
		assertThat(this.page.test("load-again")).isVisible();
		assertThat(this.page.test("signin-submit")).isHidden();
		this.page.screenshot("load-problem");
		this.page.stopFailing("/dom.js");
		this.page.test("load-again").click();
		assertAlive(this.page);
	}

	@Test
	void waitsForAnUnavailableServer() throws Exception {
		this.page.failAlways("/dom.js");
		this.page.failChecks();
		this.page.visit(server.url());
		this.page.awaitFailure("HEAD /");
		server.kill9();
		this.page.stopFailing();
		assertThat(this.page.test("load-problem")).isVisible();
		server.start();
		assertAlive(this.page);
	}

	@Test
	void offersAReloadWithoutAnyScript() {
		this.page.failAlways("/load.js", "/app.js");
		this.page.visit(server.url());
		assertThat(this.page.test("load-problem")).containsText("Check the connection");
		assertThat(this.page.test("load-again")).isVisible();
		this.page.stopFailing();
		this.page.test("load-again").click();
		assertAlive(this.page);
	}

	@Test
	void offersAReloadWhenAFileNeverArrives() {
		this.page.hang("/dom.js");
		this.page.visit(server.url());
		assertThat(this.page.test("load-again")).isVisible();
	}

	@Test
	void worksWithoutItsStylesAndReloadsThem() {
		this.page.failAlways("/app.css");
		this.page.signIn(server.url(), "alice");
		this.page.open("Lobby");
		this.page.send("Plain");
		assertThat(this.page.messages()).hasText("Plain");
		assertThat(this.page.test("load-problem")).isHidden();
		this.page.screenshot("without-style");
		this.page.type("Not sent yet");
		this.page.stopFailing();
		assertStyled(this.page);
		assertThat(this.page.test("composer-input")).hasValue("Not sent yet");
	}

	private static ChatPage newPage() {
		return new ChatPage(chromium.browser(), 1280, 800);
	}

	private static void assertAlive(ChatPage page) {
		assertThat(page.test("demo-alice")).isVisible();
		assertThat(page.test("load-problem")).isHidden();
		assertStyled(page);
	}

	private static void assertStyled(ChatPage page) {
		assertThat(page.root()).hasCSS("--accent", Pattern.compile(".+"));
	}

}
