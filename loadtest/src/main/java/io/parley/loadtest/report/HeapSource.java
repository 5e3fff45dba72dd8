package io.parley.loadtest.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a {@link ProcessSampler} learns how much of its heap a process uses. */
@FunctionalInterface
public interface HeapSource {

	/** For a process that is no JVM, or nobody asks. */
	HeapSource NONE = () -> Double.NaN;

	/** This JVM. */
	HeapSource SELF = () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();

	/** Bytes in use, garbage included; {@link Double#NaN} when it is not known now. */
	double usedBytes() throws IOException, InterruptedException;

	/** The metrics of a chat-server. */
	static HeapSource prometheus(URI managementUrl) {
		HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofMillis(500)).build();
		HttpRequest request = HttpRequest
			.newBuilder(managementUrl.resolve("/actuator/prometheus?includedNames=jvm_memory_used_bytes"))
			.timeout(Duration.ofMillis(500))
			.build();
		return () -> heapOfMetrics(client.send(request, BodyHandlers.ofString()).body());
	}

	/** Asks a JVM of this user by jcmd. Each time costs the start of another JVM. */
	static HeapSource jcmd(long pid) {
		String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
		return () -> {
			Process process = new ProcessBuilder(jcmd, Long.toString(pid), "GC.heap_info").redirectErrorStream(true)
				.start();
			String answer = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			return (process.waitFor() == 0) ? heapOfJcmd(answer) : Double.NaN;
		};
	}

	private static double heapOfMetrics(String metrics) {
		return metrics.lines()
			.filter((line) -> line.startsWith("jvm_memory_used_bytes{") && line.contains("area=\"heap\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.reduce(Double::sum)
			.orElse(Double.NaN);
	}

	/** Adds up the generations; metaspace is not heap. */
	private static double heapOfJcmd(String answer) {
		Matcher used = Pattern.compile("[, ]used (\\d+)([KMG])").matcher(answer.split("Metaspace", 2)[0]);
		double bytes = 0;
		while (used.find()) {
			bytes += Long.parseLong(used.group(1)) * Math.pow(1024, "KMG".indexOf(used.group(2)) + 1);
		}
		return (bytes > 0) ? bytes : Double.NaN;
	}

}
