import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares the speed and the memory of two builds of the chat-server on this machine:
 * "java scripts/CompareBuilds.java BEFORE NOW [ROUNDS [RATES]]". BEFORE and NOW are checkouts with a packaged chat-server; the
 * load kit of NOW, built by "./chat loadtest modes --help", measures both. The builds take turns, and the first of a
 * round is the second of the next one. With RATES, such as 400, only deliveries at these rates are measured, and not
 * 19,000 sessions. Prints the median of each figure and its ratio.
 */

static final Pattern METRIC = Pattern
	.compile("\\{\\s*\"name\"\\s*:\\s*\"([^\"]+)\",\\s*\"value\"\\s*:\\s*([-0-9.eE]+),\\s*\"unit\"\\s*:\\s*\"([^\"]*)\"");

static final List<String> MODES = List.of("modes", "--only", "simple,bus", "--warmup", "10s", "--hold", "20s",
		"--rates");

static final List<String> IDLE = List.of("idle", "--sessions", "19000", "--users", "950", "--rooms", "190", "--rate",
		"200", "--connect-rate", "400", "--warmup", "40s", "--hold", "60s");

/** Figure, then build, then values. */
final Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>();

void main(String[] arguments) throws Exception {
	Path before = Path.of(arguments[0]).toAbsolutePath();
	Path now = Path.of(arguments[1]).toAbsolutePath();
	int rounds = (arguments.length > 2) ? Integer.parseInt(arguments[2]) : 3;
	List<String> modes = new ArrayList<>(MODES);
	modes.add((arguments.length > 3) ? arguments[3] : "100,400,1600");
	for (int round = 0; round < rounds; round++) {
		for (String build : (round % 2 == 0) ? List.of("before", "now") : List.of("now", "before")) {
			Path checkout = build.equals("before") ? before : now;
			IO.println("round " + (round + 1) + " of " + rounds + ", " + build);
			measure(build, now, "-Dparley.home=" + checkout, "loadtest/studies/target/loadtest-studies.jar", modes);
			if (arguments.length < 4) {
				idle(build, now, checkout);
			}
		}
	}
	IO.println("\n| figure | before | now | now / before |\n|---|---|---|---|");
	this.figures.forEach((figure, builds) -> {
		double first = median(builds.getOrDefault("before", List.of()));
		double second = median(builds.getOrDefault("now", List.of()));
		IO.println("| %s | %.3f | %.3f | %.3f |".formatted(figure, first, second, second / first));
	});
}

/** Holds 19,000 sessions on a server with an empty database. */
void idle(String build, Path now, Path checkout) throws Exception {
	Path data = Files.createTempDirectory("compare");
	int port = freePort();
	Process server = new ProcessBuilder(java(), "-Xmx900m", "-XX:+UseParallelGC", "-XX:+UseCompactObjectHeaders",
			"--enable-native-access=ALL-UNNAMED", "-jar", checkout + "/chat-server/target/chat-server.jar",
			"--chat.broker.mode=bus", "--server.port=" + port, "--management.server.port=" + freePort(),
			"--chat.log.embedded.directory=" + data + "/log", "--chat.security.jwt.key-directory=" + data + "/keys",
			"--chat.security.registration=open", "--chat.limits.sends-per-second=0", "--chat.limits.rooms-per-minute=0",
			"--spring.datasource.url=jdbc:h2:file:" + data + "/db;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE")
		.directory(data.toFile())
		.redirectErrorStream(true)
		.redirectOutput(data.resolve("server.log").toFile())
		.start();
	try {
		String url = "http://127.0.0.1:" + port;
		awaitReady(url, server);
		List<String> command = new ArrayList<>(IDLE);
		command.addAll(List.of("--url", url, "--server-pid", Long.toString(server.pid())));
		measure(build, now, "-Xmx2g", "loadtest/generator/target/loadtest-generator-exec.jar", command);
	}
	finally {
		server.destroy();
		if (!server.waitFor(1, TimeUnit.MINUTES)) {
			server.destroyForcibly().waitFor();
		}
		try (Stream<Path> files = Files.walk(data)) {
			files.sorted((one, other) -> other.compareTo(one)).forEach((file) -> file.toFile().delete());
		}
	}
}

/** Runs a command of the load kit and adds the figures of its report. */
void measure(String build, Path now, String option, String jar, List<String> arguments) throws Exception {
	Path report = Files.createTempDirectory("compare-report");
	List<String> command = new ArrayList<>(List.of(java(), option, "-XX:+UseCompactObjectHeaders", "-XX:+UseParallelGC",
			"--enable-native-access=ALL-UNNAMED", "-jar", now.resolve(jar).toString()));
	command.addAll(arguments);
	command.addAll(List.of("--report", report.toString()));
	Process process = new ProcessBuilder(command).directory(now.toFile())
		.redirectErrorStream(true)
		.redirectOutput(Redirect.INHERIT)
		.start();
	if (process.waitFor() != 0) {
		IO.println(build + ": \"" + arguments.getFirst() + "\" ended with " + process.exitValue());
	}
	try (Stream<Path> files = Files.walk(report)) {
		for (Path file : files.filter((file) -> file.toString().endsWith(".json")).toList()) {
			Matcher metric = METRIC.matcher(Files.readString(file));
			while (metric.find()) {
				String name = arguments.getFirst() + ": " + metric.group(1) + (metric.group(3).isEmpty() ? "" : ", " + metric.group(3));
				this.figures.computeIfAbsent(name, (key) -> new LinkedHashMap<>())
					.computeIfAbsent(build, (key) -> new ArrayList<>())
					.add(Double.valueOf(metric.group(2)));
			}
		}
	}
}

void awaitReady(String url, Process server) throws Exception {
	HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/readyz")).build();
	try (HttpClient client = HttpClient.newHttpClient()) {
		for (int attempt = 0; attempt < 600 && server.isAlive(); attempt++) {
			try {
				if (client.send(request, BodyHandlers.discarding()).statusCode() == 200) {
					return;
				}
			}
			catch (IOException ex) {
				// not yet
			}
			Thread.sleep(200);
		}
	}
	throw new IllegalStateException("The server is not ready");
}

static double median(List<Double> values) {
	List<Double> sorted = values.stream().sorted().toList();
	int size = sorted.size();
	return (size == 0) ? Double.NaN : (sorted.get((size - 1) / 2) + sorted.get(size / 2)) / 2;
}

static String java() {
	return Path.of(System.getProperty("java.home"), "bin", "java").toString();
}

static int freePort() throws IOException {
	try (ServerSocket socket = new ServerSocket(0)) {
		return socket.getLocalPort();
	}
}
