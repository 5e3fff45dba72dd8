package io.parley.loadtest.report;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.time.Duration;

import io.parley.loadtest.cli.Http;

/**
 * Source for the heap use of a process in a {@link ProcessSampler}.
 */
@FunctionalInterface
public interface HeapSource {

	/** For a process that is not a JVM, or whose heap is not of interest. */
	HeapSource NONE = () -> Double.NaN;

	/** The heap of this JVM. */
	HeapSource SELF = () -> ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();

	/**
	 * Returns the bytes in use, including garbage; {@link Double#NaN} when the value is
	 * currently unknown.
	 */
	double usedBytes();

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
		URI metrics = managementUrl.resolve("/actuator/prometheus?includedNames=jvm_memory_used_bytes");
		Http http = new Http();
		return () -> {
			try {
				return http.get(metrics, Duration.ofMillis(500))
					.body()
					.lines()
					.filter((line) -> line.startsWith("jvm_memory_used_bytes{") && line.contains("area=\"heap\""))
					.mapToDouble((line) -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
					.reduce(Double::sum)
					.orElse(Double.NaN);
			}
			catch (IOException ex) {
				return Double.NaN;
			}
		};
	}

}
