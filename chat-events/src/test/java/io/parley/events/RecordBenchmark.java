package io.parley.events;

import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;

import com.sun.management.ThreadMXBean;

/**
 * Measures the cost of encoding a message, decoding it and rendering it as JSON: time and
 * allocated bytes per call, the best of nine rounds. Run its {@code main}. Compare
 * results from the same machine only.
 */
final class RecordBenchmark {

	private static final int ROUNDS = 9;

	private static final int CALLS = 500_000;

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private static long sink;

	private RecordBenchmark() {
	}

	/** An operation that returns a number of bytes. */
	private interface Call {

		int run();

	}

	/** Prints one line for each operation. */
	public static void main(String[] args) {
		EventRecord record = EventRecord.of(new MessagePosted("i3l4NkYsRLTCHWPx",
				"0fee5e43-3f0b-444b-b8ef-1db98333df9a", "bob", "0b1c9a4e-2f31-4d57-9a11-6f0d9c2c1e77",
				Instant.parse("2026-11-20T22:26:56.298Z"), "x".repeat(200), Map.of()));
		for (RecordFormat format : RecordFormat.values()) {
			byte[] bytes = record.encode(format);
			measure("encode " + format, () -> record.encode(format).length);
			measure("decode " + format, () -> EventRecord.decode(bytes).tail().length);
		}
		measure("json", () -> record.json(1_099_511_627_778L, 1_099_511_627_777L).length);
	}

	private static void measure(String name, Call call) {
		double nanos = Double.MAX_VALUE;
		long allocated = Long.MAX_VALUE;
		for (int round = 0; round < ROUNDS; round++) {
			long bytes = THREADS.getCurrentThreadAllocatedBytes();
			long start = System.nanoTime();
			for (int i = 0; i < CALLS; i++) {
				sink += call.run();
			}
			nanos = Math.min(nanos, (double) (System.nanoTime() - start) / CALLS);
			allocated = Math.min(allocated, (THREADS.getCurrentThreadAllocatedBytes() - bytes) / CALLS);
		}
		System.out.printf(Locale.ROOT, "%-10s %7.1f ns %6d bytes%n", name, nanos, allocated);
	}

}
