package io.parley.loadtest.study.pooling;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import io.parley.loadtest.cli.LoadTestException;
import org.HdrHistogram.Histogram;

/**
 * Users who send the same request, each again as soon as the answer has arrived, over
 * persistent connections. Every answer must be equal to the first one.
 */
final class ClosedLoop implements AutoCloseable {

	private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(2);

	private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

	private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

	private final HttpRequest request;

	private final BooleanSupplier stopped;

	private final byte[] expected;

	/**
	 * The result with a number of users.
	 *
	 * @param seconds duration of the measurement
	 * @param micros latency of each correct answer
	 * @param errors other answers, with their numbers
	 */
	record Level(int users, double seconds, Histogram micros, Map<String, Long> errors) {

		private static final double MICROS_PER_MILLI = 1000;

		double rate() {
			return this.micros.getTotalCount() / this.seconds;
		}

		double mean() {
			return this.micros.getMean() / MICROS_PER_MILLI;
		}

		double p99() {
			return this.micros.getValueAtPercentile(99) / MICROS_PER_MILLI;
		}

		long failed() {
			return this.errors.values().stream().mapToLong(Long::longValue).sum();
		}

		/**
		 * Returns the share of errors in per cent.
		 */
		double errorShare() {
			long all = this.micros.getTotalCount() + failed();
			return (all > 0) ? 100.0 * failed() / all : 0;
		}

	}

	/**
	 * Creates a loop and sends the first request.
	 * @param stopped whether the run is to end early
	 * @throws LoadTestException when the answer is not 200, or there is none
	 */
	ClosedLoop(HttpRequest.Builder request, BooleanSupplier stopped) {
		this.request = request.timeout(LONGEST_ANSWER).build();
		this.stopped = stopped;
		try {
			HttpResponse<byte[]> first = this.client.send(this.request, BodyHandlers.ofByteArray());
			if (first.statusCode() != 200) {
				throw new LoadTestException(this.request.uri() + " was answered with " + first.statusCode() + ".");
			}
			this.expected = first.body();
		}
		catch (IOException ex) {
			throw new LoadTestException("No answer from " + this.request.uri() + ": " + ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new LoadTestException("The run was interrupted.");
		}
	}

	/**
	 * Runs the loop with that many users for the given time.
	 */
	Level run(int users, Duration length) throws InterruptedException {
		Histogram micros = new Histogram(LONGEST_MICROS, 3);
		Map<String, Long> errors = new TreeMap<>();
		List<Thread> threads = new ArrayList<>();
		long start = System.nanoTime();
		for (int n = 0; n < users; n++) {
			threads.add(Thread.ofVirtual().start(() -> ask(start + length.toNanos(), micros, errors)));
		}
		for (Thread thread : threads) {
			thread.join();
		}
		return new Level(users, (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1), micros, errors);
	}

	private void ask(long end, Histogram micros, Map<String, Long> errors) {
		Histogram own = new Histogram(LONGEST_MICROS, 3);
		Map<String, Long> ownErrors = new TreeMap<>();
		while (System.nanoTime() - end < 0 && !this.stopped.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
			ask(own, ownErrors);
		}
		synchronized (micros) {
			micros.add(own);
			ownErrors.forEach((error, count) -> errors.merge(error, count, Long::sum));
		}
	}

	private void ask(Histogram micros, Map<String, Long> errors) {
		long begun = System.nanoTime();
		try {
			HttpResponse<byte[]> response = this.client.send(this.request, BodyHandlers.ofByteArray());
			long took = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - begun);
			if (response.statusCode() != 200) {
				errors.merge("status " + response.statusCode(), 1L, Long::sum);
			}
			else if (!Arrays.equals(response.body(), this.expected)) {
				errors.merge("another answer", 1L, Long::sum);
			}
			else {
				micros.recordValue(Math.min(took, LONGEST_MICROS));
			}
		}
		catch (IOException ex) {
			errors.merge(ex.getClass().getSimpleName(), 1L, Long::sum);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
