import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Shows the progress of a test run and prints a summary: "mvn verify | java scripts/TestRun.java <classes> <seconds>",
 * with the number of test classes (0 if unknown) and the time spent on preparations. Reads Maven's output from
 * standard input and the test reports from the directories below the current one.
 */

static final Pattern MODULE = Pattern.compile("Building (.+?) \\S+-SNAPSHOT +\\[(\\d+)/(\\d+)]");

static final Pattern RUNNING = Pattern.compile("^\\[INFO] Running (\\S+)$");

static final Pattern FINISHED = Pattern.compile(
		"Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+), Time elapsed: (\\S+) s.* -- in (\\S+)");

static final Pattern COLOURS = Pattern.compile("\u001B\\[[;\\d]*m");

static final Duration SILENCE = Duration.ofSeconds(60);

static final int SLOWEST = 10;

static final int LINES_OF_FAILURE = 15;

static final int LINES_OF_REASON = 4;

static final int LENGTH_OF_REASON = 200;

static final int LINES_OF_OUTPUT = 80;

long start = System.nanoTime();

/** Running classes, in the order in which they started. */
final Set<String> running = Collections.synchronizedSet(new LinkedHashSet<>());

volatile long lastLine = this.start;

/** What Maven says at the end about each module that it could not build. */
final List<String> unbuilt = new ArrayList<>();

/** Whether Maven has built all modules. */
boolean built;

void main(String[] arguments) throws Exception {
	int expected = Integer.parseInt(arguments[0]);
	this.start -= Duration.ofSeconds(Long.parseLong(arguments[1])).toNanos();
	try (var timer = Executors.newSingleThreadScheduledExecutor()) {
		timer.scheduleWithFixedDelay(this::reportWaiting, 0, SILENCE.toSeconds() / 4, TimeUnit.SECONDS);
		follow(expected);
	}
	if (summary(reports()) > 0) {
		System.exit(1);
	}
}

// --- progress ----------------------------------------------------------------------------

void follow(int expected) throws IOException {
	int finished = 0;
	BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
	for (String line = lines.readLine(); line != null; line = lines.readLine()) {
		line = COLOURS.matcher(line).replaceAll("");
		Matcher module = MODULE.matcher(line);
		Matcher begun = RUNNING.matcher(line);
		Matcher done = FINISHED.matcher(line);
		if (module.find()) {
			say("module %s of %s: %s".formatted(module.group(2), module.group(3), module.group(1)));
		}
		else if (begun.find()) {
			this.running.add(begun.group(1));
		}
		else if (done.find()) {
			this.running.remove(done.group(6));
			finished++;
			say("%4d%s  %-50s %s".formatted(finished, (finished <= expected) ? " of " + expected : "",
					simpleName(done.group(6)), outcome(done)));
		}
		else if (line.startsWith("[ERROR]")) {
			IO.println(line);
		}
		this.built |= line.startsWith("[INFO] BUILD SUCCESS");
		if (line.startsWith("[ERROR] Failed to execute goal")) {
			this.unbuilt.add(line.substring("[ERROR] ".length()).replaceFirst(" -> \\[Help \\d+]$", ""));
		}
	}
}

static String outcome(Matcher done) {
	int failed = Integer.parseInt(done.group(2)) + Integer.parseInt(done.group(3));
	int skipped = Integer.parseInt(done.group(4));
	int passed = Integer.parseInt(done.group(1)) - failed - skipped;
	return "%4d passed%s%s %7s s".formatted(passed, (failed > 0) ? ", " + failed + " FAILED" : "",
			(skipped > 0) ? ", " + skipped + " skipped" : "", done.group(5));
}

void say(String text) {
	this.lastLine = System.nanoTime();
	long seconds = Duration.ofNanos(this.lastLine - this.start).toSeconds();
	IO.println("%3d:%02d  %s".formatted(seconds / 60, seconds % 60, text));
}

void reportWaiting() {
	if (System.nanoTime() - this.lastLine > SILENCE.toNanos()) {
		synchronized (this.running) {
			say(this.running.isEmpty() ? "still building"
					: "still running: " + String.join(", ", this.running.stream().map((one) -> simpleName(one)).toList()));
		}
	}
}

// --- reports -----------------------------------------------------------------------------

/**
 * The report of one class on one backend.
 * @param skipped the reasons for skipped tests, one per test
 * @param output the file with the output of the class and its servers
 */
record Report(String module, String name, double seconds, int passed, List<String> skipped, List<Failure> failures,
		Path output) {
}

record Failure(String test, String text) {
}

static List<Report> reports() throws IOException, XMLStreamException {
	List<Path> files;
	try (Stream<Path> all = Files.find(Path.of("."), 6, (file, attributes) -> file.getFileName().toString().startsWith("TEST-")
			&& file.getFileName().toString().endsWith(".xml") && file.getParent().toString().matches(".*/target/[a-z]+-reports"))) {
		files = all.sorted().toList();
	}
	List<Report> reports = new ArrayList<>();
	for (Path file : files) {
		reports.add(read(file));
	}
	return reports;
}

static Report read(Path file) throws IOException, XMLStreamException {
	String name = file.getFileName().toString().replaceFirst("^TEST-", "").replaceFirst("\\.xml$", "");
	double seconds = 0;
	int tests = 0;
	List<String> skipped = new ArrayList<>();
	List<Failure> failures = new ArrayList<>();
	String test = "";
	try (var input = Files.newInputStream(file)) {
		XMLStreamReader xml = XMLInputFactory.newDefaultFactory().createXMLStreamReader(input);
		while (xml.hasNext()) {
			if (xml.next() != XMLStreamConstants.START_ELEMENT) {
				continue;
			}
			switch (xml.getLocalName()) {
				case "testsuite" -> seconds = Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", ""));
				case "testcase" -> {
					tests++;
					test = xml.getAttributeValue(null, "name");
				}
				case "skipped" -> skipped.add(reason(xml));
				case "failure", "error" -> failures.add(new Failure(test, xml.getElementText()));
				default -> {
				}
			}
		}
	}
	String module = file.getName(0).relativize(file).toString().replaceFirst("/?target/.*", "");
	return new Report(module, simpleName(name), seconds, tests - failures.size() - skipped.size(), skipped, failures,
			file.resolveSibling(name + "-output.txt"));
}

/** Returns why a test was skipped: an attribute for a disabled test, a stack trace for a failed assumption. */
static String reason(XMLStreamReader skipped) throws XMLStreamException {
	String message = skipped.getAttributeValue(null, "message");
	return (message != null) ? message
			: skipped.getElementText().lines().findFirst().orElse("no reason").replaceFirst("^.*Assumption failed: ", "");
}

/** Returns the name of a class without its package, including the backend suffix that a report name may have. */
static String simpleName(String name) {
	return name.replaceFirst("^[a-z.]*\\.(?=[A-Z])", "");
}

// --- summary -----------------------------------------------------------------------------

/** Prints the summary of the run and returns the number of failures: of tests, and of modules that could not be built. */
int summary(List<Report> reports) throws IOException {
	for (Report report : reports) {
		printFailures(report);
	}
	printModules(reports);
	printSlowest(reports);
	printSkipped(reports);
	printFailed(reports);
	if (!this.built && this.unbuilt.isEmpty()) {
		this.unbuilt.add("Maven did not finish; see the first [ERROR] above");
	}
	this.unbuilt.forEach((reason) -> IO.println("\nFAILED build: " + reason));
	int failed = this.unbuilt.size() + reports.stream().mapToInt((report) -> report.failures().size()).sum();
	long seconds = Duration.ofNanos(System.nanoTime() - this.start).toSeconds();
	IO.println("\nchat: took %d min %d s".formatted(seconds / 60, seconds % 60));
	IO.println("%d passed, %d failed".formatted(reports.stream().mapToInt(Report::passed).sum(), failed));
	return failed;
}

static void printFailures(Report report) throws IOException {
	report.failures().forEach((failure) -> {
		IO.println("\nFAILED %s.%s (%s)".formatted(report.name(), failure.test(), report.module()));
		failure.text().lines().limit(LINES_OF_FAILURE).forEach((line) -> IO.println("    " + line));
	});
	if (!report.failures().isEmpty() && Files.exists(report.output())) {
		List<String> output = Files.readAllLines(report.output());
		IO.println("\nLast lines of %s".formatted(report.output()));
		output.subList(Math.max(0, output.size() - LINES_OF_OUTPUT), output.size()).forEach((line) -> IO.println("    " + line));
	}
}

/** Names the failed tests once more: of a long console, the end is read first. */
static void printFailed(List<Report> reports) {
	reports.forEach((report) -> report.failures()
		.forEach((failure) -> IO.println("\nFAILED %s.%s: %s".formatted(report.name(), failure.test(),
				failure.text().lines().map(String::strip).filter((line) -> !line.isEmpty()).limit(LINES_OF_REASON)
					.map((line) -> line.substring(0, Math.min(line.length(), LENGTH_OF_REASON))).collect(Collectors.joining(" | "))))));
}

static void printModules(List<Report> reports) {
	Map<String, List<Report>> modules = new TreeMap<>();
	reports.forEach((report) -> modules.computeIfAbsent(report.module(), (module) -> new ArrayList<>()).add(report));
	IO.println("\n%-24s %7s %7s %8s %9s".formatted("module", "passed", "failed", "skipped", "seconds"));
	modules.forEach((module, all) -> IO.println("%-24s %7d %7d %8d %9.0f".formatted(module,
			all.stream().mapToInt(Report::passed).sum(), all.stream().mapToInt((report) -> report.failures().size()).sum(),
			all.stream().mapToInt((report) -> report.skipped().size()).sum(), all.stream().mapToDouble(Report::seconds).sum())));
}

static void printSlowest(List<Report> reports) {
	IO.println("\nthe slowest classes");
	reports.stream()
		.sorted((one, other) -> Double.compare(other.seconds(), one.seconds()))
		.limit(SLOWEST)
		.forEach((report) -> IO.println("%7.1f s  %s (%s)".formatted(report.seconds(), report.name(), report.module())));
}

static void printSkipped(List<Report> reports) {
	Map<String, Integer> reasons = new TreeMap<>();
	reports.forEach((report) -> report.skipped().forEach((reason) -> reasons.merge(reason, 1, Integer::sum)));
	if (!reasons.isEmpty()) {
		IO.println("\nskipped");
		reasons.forEach((reason, count) -> IO.println("%5d tests: %s".formatted(count, reason)));
	}
}
