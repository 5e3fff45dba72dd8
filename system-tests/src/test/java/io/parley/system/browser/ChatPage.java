package io.parley.system.browser;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.WaitUntilState;

/**
 * What a user sees and does, by the test ids of the page. Each user has a browser
 * context.
 */
final class ChatPage implements AutoCloseable {

	private static final Path SCREENSHOTS = Path.of("target/screenshots");

	private static final Set<String> FILES = Set.of("script", "stylesheet", "image");

	private final BrowserContext context;

	private final Page page;

	private final List<String> errors = new ArrayList<>();

	private final Set<String> files = new LinkedHashSet<>();

	private final Map<String, Predicate<String>> failing = new HashMap<>();

	private final Set<String> failed = new LinkedHashSet<>();

	ChatPage(Browser browser, int width, int height) {
		this.context = browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height));
		this.page = this.context.newPage();
		this.page.onConsoleMessage((message) -> {
			if (message.type().equals("error") || message.type().equals("warning")) {
				this.errors.add(message.text());
			}
		});
		this.page.onPageError(this.errors::add);
		this.page.onRequest((request) -> {
			if (FILES.contains(request.resourceType()) && request.url().startsWith("http")) {
				this.files.add(path(request.url()));
			}
		});
		// A page that does not come alive says nothing by itself.
		this.page.onRequestFailed((request) -> {
			System.out.println("Browser: " + request.url() + " failed: " + request.failure());
			this.failed.add(request.method() + " " + path(request.url()));
		});
	}

	/**
	 * Lets the next request for each of these files fail, as they do when the network
	 * changes.
	 */
	void failOnce(String... paths) {
		List.of(paths).forEach((path) -> fail(path, new Page.RouteOptions().setTimes(1)));
	}

	/** Lets all requests for these files fail until {@link #failNoMore}. */
	void failAlways(String... paths) {
		List.of(paths).forEach((path) -> fail(path, new Page.RouteOptions()));
	}

	private void fail(String path, Page.RouteOptions options) {
		Predicate<String> file = (url) -> path(url).equals(path);
		this.failing.put(path, file);
		this.page.route(file, (route) -> route.abort("connectionfailed"), options);
	}

	/** Lets requests for this file succeed again, and for no other. */
	void failNoMore(String path) {
		this.page.unroute(this.failing.get(path));
	}

	void failNoMore() {
		this.page.unrouteAll();
	}

	/** The paths of the scripts, styles and images that were asked for. */
	Set<String> files() {
		return this.files;
	}

	/** Waits for the failure of a request, such as {@code GET /app.js}. */
	void awaitFailure(String request) {
		this.page.waitForCondition(() -> this.failed.contains(request));
	}

	/** Lets the page believe that the server is away when it asks. */
	void failChecks() {
		this.page.route((url) -> path(url).equals("/"), (route) -> {
			if (route.request().method().equals("HEAD")) {
				route.abort("connectionfailed");
			}
			else {
				route.fallback();
			}
		});
	}

	/** Never answers requests for a file. */
	void hang(String path) {
		this.page.route((url) -> path.equals(path(url)), (route) -> {
		});
	}

	/** The element that styles of the whole page apply to. */
	Locator root() {
		return this.page.locator(":root");
	}

	private static String path(String url) {
		return URI.create(url).getPath();
	}

	/** Does not wait for the files of the page: they may never come. */
	void visit(URI url) {
		this.page.navigate(url.toString(), new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
	}

	void signIn(URI url, String demoUser) {
		visit(url);
		test("demo-" + demoUser).click();
	}

	void reload() {
		this.page.reload();
	}

	void open(String room) {
		roomItem(room).click();
	}

	Locator roomItem(String room) {
		Locator name = this.page.getByText(room, new Page.GetByTextOptions().setExact(true));
		return test("room-item").filter(new Locator.FilterOptions().setHas(name));
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

	/**
	 * What the browser complained about, without its words on a server that is away or
	 * not ready yet.
	 */
	List<String> errors() {
		return this.errors.stream()
			.filter((error) -> !error.contains("ERR_CONNECTION_") && !error.contains("Unexpected response code: 503"))
			.toList();
	}

	void screenshot(String name) {
		this.page.screenshot(new Page.ScreenshotOptions().setPath(SCREENSHOTS.resolve(name + ".png")));
	}

	@Override
	public void close() {
		try {
			this.context.close();
		}
		catch (PlaywrightException ex) {
			// A request that was to fail came while the page closed.
			System.out.println("Browser: " + ex.getMessage());
		}
	}

}
