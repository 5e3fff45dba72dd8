import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;

/**
 * Alice and Bob chat in two browsers through nginx, each on a different chat-server; the database shows which user is on which
 * server. Each sees the other typing; these signals go from server to server outside the log. See two-browsers.sh.
 */
void main(String[] arguments) throws Exception {
	PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
	var settings = new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"));
	try (var playwright = Playwright.create(settings)) {
		var launch = new BrowserType.LaunchOptions().setExecutablePath(Path.of(System.getenv("PARLEY_CHROMIUM")))
			.setArgs(List.of("--no-sandbox", "--disable-gpu", "--disable-background-networking"));
		var browser = playwright.chromium().launch(launch);
		var alice = signIn(browser, arguments[0], "alice");
		var bob = signIn(browser, arguments[0], "bob");
		var aliceAt = serverOf("alice");
		var bobAt = serverOf("bob");
		IO.println("alice is on chat-server " + aliceAt + ", bob on " + bobAt);
		if (aliceAt.equals(bobAt)) {
			throw new IllegalStateException("Both are on the same chat-server: check that two are running and no other user is connected.");
		}
		var stamp = Long.toString(System.currentTimeMillis(), 36);
		say(alice, bob, "Hello Bob " + stamp);
		say(bob, alice, "Hello Alice " + stamp);
		browser.close();
	}
}

Page signIn(Browser browser, String url, String user) {
	BrowserContext context = browser.newContext();
	Page page = context.newPage();
	page.setDefaultTimeout(60_000);
	page.navigate(url);
	page.getByTestId("demo-" + user).click();
	page.getByTestId("room-item").filter(new com.microsoft.playwright.Locator.FilterOptions().setHasText("Lobby")).click();
	PlaywrightAssertions.assertThat(page.getByTestId("connection")).hasAttribute("data-state", "online");
	return page;
}

void say(Page from, Page to, String text) {
	from.getByTestId("composer-input").fill(text);
	PlaywrightAssertions.assertThat(to.getByTestId("typing")).containsText("typing");
	from.getByTestId("composer-send").click();
	PlaywrightAssertions.assertThat(to.getByTestId("message-text").last()).hasText(text);
	IO.println("arrived: " + text);
}

/** Returns the chat-server of a user; waits, because presence is written with a delay of some seconds. */
String serverOf(String user) throws IOException, InterruptedException {
	for (int second = 0; second < 60; second++) {
		var process = new ProcessBuilder("docker", "compose", "exec", "-T", "mysql", "sh", "-c",
				"MYSQL_PWD=$(cat /run/secrets/mysql-backup) mysql -N -uparley_backup $MYSQL_DATABASE -e"
						+ " \"SELECT node FROM node_presence WHERE username = '" + user + "'\"")
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		var nodes = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		process.waitFor();
		if (!nodes.isEmpty() && !nodes.contains("\n")) {
			return nodes;
		}
		Thread.sleep(1000);
	}
	throw new IllegalStateException("The database does not show " + user + " on exactly one chat-server.");
}
