package io.parley.loadtest.study.peers;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Counts what all sessions receive while one rate is sent. Safe for use by many threads.
 */
final class Tally {

	private static final int MAX_KINDS = 10;

	private static final int DIGITS = 3;

	private final LongAdder arrived = new LongAdder();

	private final LongAdder doubled = new LongAdder();

	private final LongAdder disordered = new LongAdder();

	private final Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), DIGITS);

	private final ConcurrentMap<String, Long> errors = new ConcurrentHashMap<>();

	private volatile long from = Long.MAX_VALUE;

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
			this.micros.recordValue(Math.clamp(latency, 0, TimeUnit.MINUTES.toMicros(10)));
		}
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

	long doubles() {
		return this.doubled.sum();
	}

	long disorders() {
		return this.disordered.sum();
	}

	Histogram micros() {
		return this.micros;
	}

	Map<String, Long> errors() {
		return new TreeMap<>(this.errors);
	}

}
