package io.parley.loadtest.study.peers;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Counts what all sessions receive while one rate is sent, and keeps the latencies of
 * each minute. Safe for use by many threads.
 */
final class Tally {

	private static final int MAX_KINDS = 10;

	private static final int DIGITS = 3;

	private static final long LONGEST_MICROS = TimeUnit.MINUTES.toMicros(10);

	private final LongAdder arrived = new LongAdder();

	private final LongAdder confirmed = new LongAdder();

	private final LongAdder doubled = new LongAdder();

	private final LongAdder disordered = new LongAdder();

	/** The latencies of each minute. */
	private final List<Histogram> micros;

	private final ConcurrentMap<String, Long> errors = new ConcurrentHashMap<>();

	private volatile long from = Long.MAX_VALUE;

	/**
	 * Creates a tally.
	 * @param minutes the last of them also counts what is later
	 */
	Tally(int minutes) {
		this.micros = Stream.<Histogram>generate(() -> new ConcurrentHistogram(LONGEST_MICROS, DIGITS))
			.limit(minutes)
			.toList();
	}

	/**
	 * Counts the latency of messages from now on whose scheduled time is not before this.
	 */
	void measureFrom(long intended) {
		this.from = intended;
	}

	/**
	 * Counts a message that its session gets for the first time.
	 */
	void arrived(long intended) {
		this.arrived.increment();
		long start = this.from;
		if (start != Long.MAX_VALUE && intended - start >= 0) {
			long latency = TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - intended);
			int minute = (int) Math.min((intended - start) / TimeUnit.MINUTES.toNanos(1), this.micros.size() - 1);
			this.micros.get(minute).recordValue(Math.clamp(latency, 0, LONGEST_MICROS));
		}
	}

	/**
	 * Counts a message that the server has confirmed to its sender.
	 */
	void confirmed() {
		this.confirmed.increment();
	}

	void doubled() {
		this.doubled.increment();
	}

	void disordered() {
		this.disordered.increment();
	}

	void failed(String reason) {
		boolean known = this.errors.containsKey(reason) || this.errors.size() < MAX_KINDS;
		this.errors.merge(known ? reason : "other", 1L, Long::sum);
	}

	long arrivals() {
		return this.arrived.sum();
	}

	long confirmations() {
		return this.confirmed.sum();
	}

	long doubles() {
		return this.doubled.sum();
	}

	long disorders() {
		return this.disordered.sum();
	}

	/**
	 * Returns the latencies of each minute.
	 */
	List<Histogram> micros() {
		return this.micros;
	}

	Map<String, Long> errors() {
		return new TreeMap<>(this.errors);
	}

}
