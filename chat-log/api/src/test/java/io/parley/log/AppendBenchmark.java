package io.parley.log;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Measures confirmed appends. The first third of the duration is warm-up and not counted.
 */
public final class AppendBenchmark {

	/** The number of partitions that the log must have. */
	public static final int PARTITIONS = 8;

	private static final int RECORD_BYTES = 200;

	/**
	 * The number of confirms by latency in microseconds; the last entry counts all above.
	 */
	private final AtomicIntegerArray latencies = new AtomicIntegerArray(2_000_000);

	private final AtomicLong failures = new AtomicLong();

	private final long countFrom;

	private final long end;

	private final CountDownLatch warm = new CountDownLatch(1);

	private AppendBenchmark(Duration duration) {
		long start = System.nanoTime();
		this.countFrom = start + duration.toNanos() / 3;
		this.end = start + duration.toNanos();
	}

	/**
	 * Appends and prints the results.
	 * @param syncs returns how many times the log has written to its disk or its broker
	 * @param args threads, appends in flight per thread, seconds
	 */
	public static void run(RoomLog log, LongSupplier syncs, String... args) throws InterruptedException {
		int threads = Integer.parseInt(args[0]);
		int inFlight = Integer.parseInt(args[1]);
		new AppendBenchmark(Duration.ofSeconds(Long.parseLong(args[2]))).run(log, syncs, threads, inFlight);
	}

	private void run(RoomLog log, LongSupplier syncs, int threads, int inFlight) throws InterruptedException {
		Thread[] appenders = IntStream.range(0, threads)
			.mapToObj((i) -> Thread.ofPlatform().start(() -> append(log, inFlight)))
			.toArray(Thread[]::new);
		this.warm.await();
		long before = syncs.getAsLong();
		for (Thread appender : appenders) {
			appender.join();
		}
		report(threads, inFlight, syncs.getAsLong() - before);
	}

	private void append(RoomLog log, int inFlight) {
		Semaphore free = new Semaphore(inFlight);
		ThreadLocalRandom random = ThreadLocalRandom.current();
		while (System.nanoTime() < this.end) {
			free.acquireUninterruptibly();
			byte[] record = new byte[RECORD_BYTES];
			random.nextBytes(record);
			long start = System.nanoTime();
			log.append(random.nextInt(PARTITIONS), record).whenComplete((offset, failure) -> {
				free.release();
				confirmed(start, failure);
			});
		}
		free.acquireUninterruptibly(inFlight);
	}

	private void confirmed(long start, Throwable failure) {
		long now = System.nanoTime();
		if (now >= this.countFrom) {
			this.warm.countDown();
		}
		if (failure != null) {
			this.failures.incrementAndGet();
			return;
		}
		if (now >= this.countFrom && now < this.end) {
			int micros = (int) Math.min((now - start) / 1000, this.latencies.length() - 1);
			this.latencies.incrementAndGet(micros);
		}
	}

	private void report(int threads, int inFlight, long batches) {
		long confirms = IntStream.range(0, this.latencies.length()).mapToLong(this.latencies::get).sum();
		double seconds = (this.end - this.countFrom) / 1e9;
		System.out.printf(
				"threads=%d inFlight=%d: %.0f confirmed appends/s, %.0f syncs/s, confirm p50 %.2f ms, p99 %.2f ms, %d failed%n",
				threads, inFlight, confirms / seconds, batches / seconds, millis(confirms / 2),
				millis(confirms * 99 / 100), this.failures.get());
	}

	private double millis(long rank) {
		int micros = 0;
		for (long seen = this.latencies.get(0); seen <= rank; seen += this.latencies.get(micros)) {
			micros++;
		}
		return micros / 1000.0;
	}

}
