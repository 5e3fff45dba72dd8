package io.parley.system.browser;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;

/**
 * What a user sees and does, by the test ids of the page. Each user has a browser
 * context.
 */
final class ChatPage implements AutoCloseable {

	private static final Path SCREENSHOTS = Path.of("target/screenshots");

	private final BrowserContext context;

	private final Page page;

	private final List<String> errors = new ArrayList<>();

	ChatPage(Browser browser, int width, int height) {
		this.context = browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height));
		this.page = this.context.newPage();
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") || message.type().equals("warning")) {
				this.errors.add(message.text());
			}
		});
		this.page.onPageError(this.errors::add);
		// A page that does not come alive says nothing by itself.
		this.page.onRequestFailed(
				(request) -> System.out.println("Browser: " + request.url() + " failed: " + request.failure()));
	}

	void signIn(URI url, String demoUser) {
		this.page.navigate(url.toString());
		test("demo-" + demoUser).click();
	}

	void reload() {
		this.page.reload();
	}

	void open(String room) {
		roomItem(room).click();
	}

	Locator roomItem(String room) {
		return test("room-item").filter(new Locator.FilterOptions().setHasText(room));
	}

	Locator unreadBadge(String room) {
		return roomItem(room).getByTestId("unread-badge");
	}

	void type(String text) {
		test("composer-input").pressSequentially(text);
	}

	void send(String text) {
		test("composer-input").fill(text);
		test("composer-send").click();
	}

	Locator messages() {
		return test("message-text");
	}

	/** The messages of the user that are in a state: pending, sent, seen. */
	Locator own(String state) {
		return this.page.locator("[data-testid=message][data-state=" + state + "]");
	}

	Locator test(String id) {
		return this.page.getByTestId(id);
	}

	/** What the browser complained about, without its words on a server that is away. */
	List<String> errors() {
		return this.errors.stream().filter((error) -> !error.contains("ERR_CONNECTION_")).toList();
	}

	void screenshot(String name) {
		this.page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
	}

	@Override
	public void close() {
		this.context.close();
	}

}
