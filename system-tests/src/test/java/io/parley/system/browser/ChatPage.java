package io.parley.system.browser;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.CheckedNode;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.WebSocket;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.WaitUntilState;

/**
 * The page as a user sees and operates it, accessed by its test ids. Each user has a
 * browser context.
 */
final class ChatPage implements AutoCloseable {

	private static final Path SCREENSHOTS = Path.of("target/screenshots");

	private static final Set<String> SERIOUS = Set.of("serious", "critical");

	private static final Set<String> FILES = Set.of("script", "stylesheet", "image");

	private final BrowserContext context;

	private final Page page;

	private final List<String> errors = new ArrayList<>();

	private final Set<String> files = new LinkedHashSet<>();

	private final Map<String, Predicate<String>> failing = new HashMap<>();

	private final Set<String> failed = new LinkedHashSet<>();

	private final List<String> answers = new CopyOnWriteArrayList<>();

	private final List<WebSocket> sockets = new ArrayList<>();

	private final List<String> sent = new ArrayList<>();

	private final List<String> received = new ArrayList<>();

	ChatPage(Browser browser, int width, int height) {
		this(browser, width, height, ColorScheme.LIGHT);
	}

	ChatPage(Browser browser, int width, int height, ColorScheme colors) {
		this(browser.newContext(new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(colors)));
	}

	private ChatPage(BrowserContext context) {
		this(context, context.newPage());
	}

	private ChatPage(BrowserContext context, Page page) {
		this.context = context;
		this.page = page;
		this.page.setDefaultTimeout(Chromium.PATIENCE_MILLIS);
		this.context.onResponse((response) -> this.answers.add(path(response.url()) + " " + response.status()));
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
		this.page.onWebSocket((socket) -> {
			this.sockets.add(socket);
			socket.onFrameSent((frame) -> this.sent.add(frame.text()));
			socket.onFrameReceived((frame) -> this.received.add(frame.text()));
		});
		// A page that fails to start reports nothing by itself.
		this.page.onRequestFailed((request) -> {
			System.out.println("Browser: " + request.url() + " failed: " + request.failure());
			this.failed.add(request.method() + " " + path(request.url()));
		});
	}

	/** Opens a further tab of the same user, with a copy of the session storage. */
	ChatPage duplicate() {
		return new ChatPage(this.context,
				this.context.waitForPage(() -> this.page.evaluate("() => { window.open('/'); }")));
	}

	/** Returns how many requests of all tabs of the user were answered like this. */
	long answers(String path, int status) {
		return this.answers.stream().filter((path + " " + status)::equals).count();
	}

	/** Waits until the page has received a frame that contains this. */
	void awaitFrame(String content) {
		await(() -> this.received.stream().anyMatch((frame) -> frame.contains(content)));
	}

	private static String header(String frame, String name) {
		return frame.lines()
			.filter((line) -> line.startsWith(name + ":"))
			.map((line) -> line.substring(name.length() + 1))
			.findFirst()
			.orElse("");
	}

	/** Returns how many frames to a destination the server has confirmed. */
	long confirmed(String destination) {
		List<String> receipts = this.received.stream()
			.filter((frame) -> frame.startsWith("RECEIPT"))
			.map((frame) -> header(frame, "receipt-id"))
			.toList();
		return this.sent.stream()
			.filter((frame) -> header(frame, "destination").equals(destination))
			.filter((frame) -> receipts.contains(header(frame, "receipt")))
			.count();
	}

	/** Returns how many WebSockets the page has opened. */
	int sockets() {
		return this.sockets.size();
	}

	/** Waits while the page goes on. */
	void await(BooleanSupplier condition) {
		this.page.waitForCondition(condition);
	}

	/** Waits until so many requests of all tabs of the user were answered like this. */
	void awaitAnswers(String path, int status, int count) {
		await(() -> answers(path, status) >= count);
	}

	/** Returns the keys of the tokens in the storage of the tab and of the browser. */
	List<?> stored() {
		return (List<?>) this.page
			.evaluate("() => Object.keys(sessionStorage).concat(Object.keys(localStorage)).filter((key) => "
					+ "key === 'parley.tokens' || key.startsWith('parley.sign-in.'))");
	}

	/** Fails the next request for each of these files, as a network change does. */
	void failOnce(String... paths) {
		List.of(paths).forEach((path) -> fail(path, new Page.RouteOptions().setTimes(1)));
	}

	/** Fails all requests for these files until {@link #stopFailing}. */
	void failAlways(String... paths) {
		List.of(paths).forEach((path) -> fail(path, new Page.RouteOptions()));
	}

	private void fail(String path, Page.RouteOptions options) {
		Predicate<String> file = (url) -> path(url).equals(path);
		this.failing.put(path, file);
		this.page.route(file, (route) -> route.abort("connectionfailed"), options);
	}

	/** Stops failing requests for this file only. */
	void stopFailing(String path) {
		this.page.unroute(this.failing.get(path));
	}

	void stopFailing() {
		this.page.unrouteAll();
	}

	/** Returns the paths of the requested scripts, styles and images. */
	Set<String> files() {
		return this.files;
	}

	/** Waits until a request has failed, such as {@code GET /app.js}. */
	void awaitFailure(String request) {
		this.page.waitForCondition(() -> this.failed.contains(request));
	}

	/** Makes the server appear unavailable to the checks of the page. */
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

	/** Returns the root element, to which the styles of the whole page apply. */
	Locator root() {
		return this.page.locator(":root");
	}

	private static String path(String url) {
		return URI.create(url).getPath();
	}

	/** Opens the page without waiting for its files, which may never arrive. */
	void visit(URI url) {
		this.page.navigate(url.toString(), new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
	}

	/** Returns the address that the browser shows. */
	String url() {
		return this.page.url();
	}

	void signIn(URI url, String demoUser) {
		visit(url);
		test("demo-" + demoUser).click();
	}

	void signIn(URI url, String user, String password) {
		visit(url);
		test("signin-username").fill(user);
		test("signin-password").fill(password);
		test("signin-submit").click();
	}

	/**
	 * From now on the time of the page can be moved. Call it before the page is opened.
	 */
	void controlTime() {
		this.page.clock().install();
	}

	/** Moves the time of the page, not that of the server. */
	void moveTime(Duration forward) {
		this.page.clock().fastForward(forward.toMillis());
	}

	void press(String key) {
		this.page.keyboard().press(key);
	}

	/** Returns the test id of the element that has the focus. */
	String focused() {
		return (String) this.page.evaluate("() => document.activeElement?.dataset.testid ?? ''");
	}

	/** Returns the serious and critical findings of axe-core about the visible part. */
	List<String> seriousFindings() {
		return new AxeBuilder(this.page).analyze()
			.getViolations()
			.stream()
			.filter((rule) -> SERIOUS.contains(rule.getImpact()))
			.map((rule) -> rule.getId() + ": " + rule.getNodes().stream().map(CheckedNode::getHtml).toList())
			.toList();
	}

	/** Returns by how many pixels the page or an open dialog is too wide. */
	int overflow() {
		return (int) this.page.evaluate("() => Math.max(...[document.documentElement, "
				+ "...document.querySelectorAll('dialog[open]')].map((part) => part.scrollWidth - part.clientWidth))");
	}

	Object evaluate(String script) {
		return this.page.evaluate(script);
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

	/** Returns the user's own messages in a state: pending, sent, delivered, seen. */
	Locator own(String state) {
		return this.page.locator("[data-testid=message][data-state=" + state + "]");
	}

	Locator test(String id) {
		return this.page.getByTestId(id);
	}

	/**
	 * Returns the console errors, without those about a server that is unavailable or not
	 * ready.
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
			// A request that was to fail was sent while the page closed.
			System.out.println("Browser: " + ex.getMessage());
		}
	}

}
