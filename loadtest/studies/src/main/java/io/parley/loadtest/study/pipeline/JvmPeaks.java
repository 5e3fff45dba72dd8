package io.parley.loadtest.study.pipeline;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Reads the maximum heap, threads and classes of a server from its own metrics, every two
 * seconds.
 */
final class JvmPeaks implements AutoCloseable {

	private static final Pattern HEAP = gauge("jvm_memory_used_bytes\\{area=\"heap\"[^}]*\\}");

	private static final Pattern THREADS = gauge("jvm_threads_live_threads(?:\\{[^}]*\\})?");

	private static final Pattern CLASSES = gauge("jvm_classes_loaded_classes(?:\\{[^}]*\\})?");

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("jvm-peaks").factory());

	private final HttpClient client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

	private final HttpRequest request;

	private volatile Peaks peaks = new Peaks(0, 0, 0);

	record Peaks(double heapMb, double threads, double classes) {

		private Peaks with(String metrics) {
			return new Peaks(Math.max(this.heapMb, Math.rint(sum(HEAP, metrics) / (1024 * 1024))),
					Math.max(this.threads, sum(THREADS, metrics)), Math.max(this.classes, sum(CLASSES, metrics)));
		}

	}

	JvmPeaks(URI metrics) {
		this.request = HttpRequest.newBuilder(metrics).timeout(Duration.ofSeconds(5)).build();
		this.clock.scheduleAtFixedRate(this::read, 0, 2, TimeUnit.SECONDS);
	}

	Peaks get() {
		return this.peaks;
	}

	private void read() {
		try {
			this.peaks = this.peaks.with(this.client.send(this.request, BodyHandlers.ofString()).body());
		}
		catch (IOException ex) {
			// The server is too busy to answer; the next reading follows.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static Pattern gauge(String name) {
		return Pattern.compile("(?m)^" + name + " (\\S+)");
	}

	private static double sum(Pattern gauge, String metrics) {
		return gauge.matcher(metrics).results().mapToDouble((line) -> Double.parseDouble(line.group(1))).sum();
	}

	@Override
	public void close() {
		this.clock.shutdownNow();
		this.client.shutdownNow();
	}

}
