package io.parley.loadtest;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/** Everything that a run counts and times. Safe for concurrent use. */
final class Measures {

	private static final int MOST_ERROR_CLASSES = 30;

	private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

	/** Sessions that were told to come later, and do. */
	final LongAdder turnedAway = new LongAdder();

	/** Connections that the kit itself cut. */
	final LongAdder cut = new LongAdder();

	/** Events that were missed while away, and came after it. */
	final LongAdder replayed = new LongAdder();

	final LongAdder established = new LongAdder();

	final LongAdder live = new LongAdder();

	final LongAdder sent = new LongAdder();

	final LongAdder accepted = new LongAdder();

	final LongAdder delivered = new LongAdder();

	final LongAdder unexpectedCloses = new LongAdder();

	final LongAdder heartBeatMisses = new LongAdder();

	final LongAdder lost = new LongAdder();

	final LongAdder doubled = new LongAdder();

	/**
	 * From when something should have been started to when it was: the kit's own fault.
	 */
	final Histogram starting = microseconds();

	/** From when the connection should have been opened to CONNECTED. */
	final Histogram connecting = microseconds();

	/** From when the connection should have been opened to the receipt of SUBSCRIBE. */
	final Histogram subscribing = microseconds();

	/** From when the connection should have been opened to the receipt of DISCONNECT. */
	final Histogram whole = microseconds();

	/** From when the connection was lost to the last of the missed events. */
	final Histogram resuming = microseconds();

	/** The same from when the next connection was begun, without the wait before it. */
	final Histogram catchingUp = microseconds();

	/** From when the message should have been sent to its RECEIPT. */
	final Histogram accepting = microseconds();

	/** From when the message should have been sent to its MESSAGE, for each receiver. */
	final Histogram delivering = microseconds();

	private final Recorder deliveringNow = new Recorder(3);

	private final ConcurrentMap<Verdict, LongAdder> verdicts = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, LongAdder> errors = new ConcurrentHashMap<>();

	/** Records the time since then. */
	static void since(long nanos, Histogram histogram) {
		histogram.recordValue(microsSince(nanos));
	}

	/** A message that should have been sent at that time reached one receiver. */
	void reached(long intended) {
		long micros = microsSince(intended);
		this.delivering.recordValue(micros);
		this.deliveringNow.recordValue(micros);
	}

	/** Adds what another process measured of deliveries. */
	void reached(Histogram micros) {
		this.delivering.add(micros);
		micros.recordedValues()
			.forEach((value) -> this.deliveringNow.recordValueWithCount(value.getValueIteratedTo(),
					value.getCountAddedInThisIterationStep()));
	}

	/** The deliveries since the last call. Not for concurrent use. */
	Histogram deliveringSinceLastAsked(@Nullable Histogram recycled) {
		return this.deliveringNow.getIntervalHistogram(recycled);
	}

	private static long microsSince(long nanos) {
		return Math.clamp(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos), 0, LONGEST_MICROS);
	}

	void error(String kind) {
		errors(kind, 1);
	}

	void errors(String kind, long count) {
		// What ends when the run is interrupted was told to.
		if (count == 0 || Interrupt.requested()) {
			return;
		}
		boolean known = this.errors.containsKey(kind) || this.errors.size() < MOST_ERROR_CLASSES;
		this.errors.computeIfAbsent(known ? kind : "other", (key) -> new LongAdder()).add(count);
	}

	void verdict(Verdict verdict) {
		verdicts(verdict, 1);
	}

	void verdicts(Verdict verdict, long count) {
		this.verdicts.computeIfAbsent(verdict, (key) -> new LongAdder()).add(count);
	}

	long count(Verdict verdict) {
		LongAdder count = this.verdicts.get(verdict);
		return (count != null) ? count.sum() : 0;
	}

	long duplicates() {
		return count(Verdict.DUPLICATE) + this.doubled.sum();
	}

	/** How often each class of error came up. */
	Map<String, Long> errors() {
		Map<String, Long> counts = new TreeMap<>();
		this.errors.forEach((kind, count) -> counts.put(kind, count.sum()));
		return counts;
	}

	long errorCount() {
		return errors().values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Whether everything asked was held: no error, no loss, no close, no miss. What was
	 * interrupted has not held.
	 */
	boolean passed(int sessions) {
		long broken = count(Verdict.GAP) + count(Verdict.OUT_OF_ORDER) + count(Verdict.BROKEN_CHAIN) + duplicates();
		long failed = errorCount() + this.unexpectedCloses.sum() + this.heartBeatMisses.sum() + this.lost.sum();
		return !Interrupt.requested() && failed + broken == 0 && this.established.sum() == sessions;
	}

	private static Histogram microseconds() {
		return new ConcurrentHistogram(LONGEST_MICROS, 3);
	}

}
