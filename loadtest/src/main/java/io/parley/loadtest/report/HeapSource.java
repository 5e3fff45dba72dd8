package io.parley.loadtest.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** Where a {@link ProcessSampler} learns how much of its heap a process uses. */
@FunctionalInterface
public interface HeapSource {

	/** For a process that is no JVM, or nobody asks. */
	HeapSource NONE = () -> Double.NaN;

	/** This JVM. */
	HeapSource SELF = () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();

	/** Bytes in use, garbage included; {@link Double#NaN} when it is not known now. */
	double usedBytes() throws IOException, InterruptedException;

	/**
	 * How often to ask: the heap swings with each collection, and asking costs more than
	 * looking at a process.
	 */
	default int everySeconds() {
		return 5;
	}

	/** The metrics of a chat-server. */
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
