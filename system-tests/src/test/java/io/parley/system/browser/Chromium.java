package io.parley.system.browser;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType.LaunchOptions;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.Playwright.CreateOptions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The installed Chromium or Chrome. Without one the tests are skipped. On Linux, if
 * Python is available, it does not notice changes of the network interfaces, which would
 * abort its requests: containers of other tests may start and stop.
 */
final class Chromium implements BeforeAllCallback, AfterAllCallback {

	/** Prevents requests to external services. */
	private static final List<String> ARGUMENTS = List.of("--no-sandbox", "--disable-gpu",
			"--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run");

	/** Starts the browser named by the variable {@value #NAME}. */
	private static final Path LAUNCHER = Path.of("src/test/browser/chromium").toAbsolutePath();

	private static final String NAME = "PARLEY_CHROMIUM";

	/** How long actions and assertions wait on a busy machine. */
	static final double PATIENCE_MILLIS = 120_000;

	private Playwright playwright;

	private Browser browser;

	@Override
	public void beforeAll(ExtensionContext context) {
		PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
		Path executable = find();
		this.playwright = Playwright
			.create(new CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
		LaunchOptions options = new LaunchOptions().setExecutablePath(executable).setArgs(ARGUMENTS);
		if (System.getProperty("os.name").equals("Linux") && onPath("python3").findAny().isPresent()) {
			Map<String, String> environment = new HashMap<>(System.getenv());
			environment.put(NAME, executable.toString());
			options.setExecutablePath(LAUNCHER).setEnv(environment);
		}
		this.browser = this.playwright.chromium().launch(options);
	}

	private static Path find() {
		Stream<Path> named = Stream.of(NAME).map(System::getenv).filter(Objects::nonNull).map(Path::of);
		Stream<Path> installed = onPath("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");
		return Stream.concat(named, installed).filter(Files::isExecutable).findFirst().orElseGet(() -> {
			Assumptions.abort("No Chromium or Chrome is installed; install one, or name it in PARLEY_CHROMIUM");
			throw new AssertionError();
		});
	}

	private static Stream<Path> onPath(String... names) {
		return Stream.of(System.getenv("PATH").split(":"))
			.flatMap((directory) -> Stream.of(names).map((name) -> Path.of(directory, name)))
			.filter(Files::isExecutable);
	}

	Browser browser() {
		return this.browser;
	}

	@Override
	public void afterAll(ExtensionContext context) {
		if (this.playwright != null) {
			this.browser.close();
			this.playwright.close();
		}
	}

}
