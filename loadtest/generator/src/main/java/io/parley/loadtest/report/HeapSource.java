package io.parley.loadtest.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * Source for the heap use of a process in a {@link ProcessSampler}.
 */
@FunctionalInterface
public interface HeapSource {

	/**
	 * For a process that is not a JVM, or whose heap is not of interest.
	 */
	HeapSource NONE = () -> Double.NaN;

	/**
	 * The heap of this JVM.
	 */
	HeapSource SELF = () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();

	/**
	 * Returns the bytes in use, including garbage; {@link Double#NaN} when the value is
	 * currently unknown.
	 */
	double usedBytes() throws IOException, InterruptedException;

	/**
	 * Returns the interval of the samples in seconds. The heap changes with each
	 * collection, and reading it costs more than sampling a process.
	 */
	default int everySeconds() {
		return 5;
	}

	/**
	 * Returns a source that reads the metrics of a chat-server.
	 */
	static HeapSource prometheus(URI managementUrl) {
		HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofMillis(500)).build();
		HttpRequest request = HttpRequest
			.newBuilder(managementUrl.resolve("/actuator/prometheus?includedNames=jvm_memory_used_bytes"))
			.timeout(Duration.ofMillis(500))
			.build();
		return () -> heapOfMetrics(client.send(request, BodyHandlers.ofString()).body());
	}

	private static double heapOfMetrics(String metrics) {
		return metrics.lines()
			.filter((line) -> line.startsWith("jvm_memory_used_bytes{") && line.contains("area=\"heap\""))
			.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
			.reduce(Double::sum)
			.orElse(Double.NaN);
	}

}
