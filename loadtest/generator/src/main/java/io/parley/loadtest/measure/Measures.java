package io.parley.loadtest.measure;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.cli.Interrupt;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;
import org.jspecify.annotations.Nullable;

/**
 * All counters and histograms of a run. Safe for use by many threads.
 */
public final class Measures {

	private static final int MAX_ERROR_CLASSES = 30;

	private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

	/**
	 * Sessions that the server rejected with a Retry-After, and that connect again.
	 */
	public final LongAdder turnedAway = new LongAdder();

	/**
	 * Connections cut by the kit itself.
	 */
	public final LongAdder cut = new LongAdder();

	/**
	 * Events that were missed while disconnected and arrived after it.
	 */
	public final LongAdder replayed = new LongAdder();

	public final LongAdder established = new LongAdder();

	public final LongAdder live = new LongAdder();

	public final LongAdder sent = new LongAdder();

	public final LongAdder accepted = new LongAdder();

	public final LongAdder delivered = new LongAdder();

	public final LongAdder unexpectedCloses = new LongAdder();

	public final LongAdder heartBeatMisses = new LongAdder();

	public final LongAdder lost = new LongAdder();

	public final LongAdder doubled = new LongAdder();

	/**
	 * From the scheduled start of a step to its actual start: delay of the kit itself.
	 */
	public final Histogram starting = microseconds();

	/**
	 * From the scheduled start of the connection to CONNECTED.
	 */
	public final Histogram connecting = microseconds();

	/**
	 * From the scheduled start of the connection to the receipt of SUBSCRIBE.
	 */
	public final Histogram subscribing = microseconds();

	/**
	 * From the scheduled start of the connection to the receipt of DISCONNECT.
	 */
	public final Histogram whole = microseconds();

	/**
	 * From the loss of the connection to the last of the missed events.
	 */
	public final Histogram resuming = microseconds();

	/**
	 * From the start of the next connection to the last of the missed events, without the
	 * back-off before it.
	 */
	public final Histogram catchingUp = microseconds();

	/**
	 * From the scheduled time of a message to its RECEIPT.
	 */
	public final Histogram accepting = microseconds();

	/**
	 * From the scheduled time of a message to its MESSAGE, for each receiver.
	 */
	public final Histogram delivering = microseconds();

	private final Recorder deliveringNow = new Recorder(3);

	private final ConcurrentMap<Verdict, LongAdder> verdicts = new ConcurrentHashMap<>();

	private final ConcurrentMap<String, LongAdder> errors = new ConcurrentHashMap<>();

	/**
	 * Records the time since a {@link System#nanoTime()}.
	 */
	public static void since(long nanos, Histogram histogram) {
		histogram.recordValue(microsSince(nanos));
	}

	/**
	 * Records the delivery of a message to one receiver.
	 * @param intended the time for which the send was scheduled, as
	 * {@link System#nanoTime()}
	 */
	public void reached(long intended) {
		long micros = microsSince(intended);
		this.delivering.recordValue(micros);
		this.deliveringNow.recordValue(micros);
	}

	/**
	 * Adds the deliveries that another process measured.
	 */
	public void reached(Histogram micros) {
		this.delivering.add(micros);
		micros.recordedValues()
			.forEach((value) -> this.deliveringNow.recordValueWithCount(value.getValueIteratedTo(),
					value.getCountAddedInThisIterationStep()));
	}

	/**
	 * Returns the deliveries since the last call. Not safe for concurrent use.
	 */
	Histogram deliveringSinceLastCall(@Nullable Histogram recycled) {
		return this.deliveringNow.getIntervalHistogram(recycled);
	}

	private static long microsSince(long nanos) {
		return Math.clamp(TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - nanos), 0, LONGEST_MICROS);
	}

	public void error(String kind) {
		errors(kind, 1);
	}

	public void errors(String kind, long count) {
		// The end of an interrupted run causes errors by itself.
		if (count == 0 || Interrupt.requested()) {
			return;
		}
		boolean known = this.errors.containsKey(kind) || this.errors.size() < MAX_ERROR_CLASSES;
		this.errors.computeIfAbsent(known ? kind : "other", (key) -> new LongAdder()).add(count);
	}

	public void verdict(Verdict verdict) {
		verdicts(verdict, 1);
	}

	void verdicts(Verdict verdict, long count) {
		this.verdicts.computeIfAbsent(verdict, (key) -> new LongAdder()).add(count);
	}

	public long count(Verdict verdict) {
		LongAdder count = this.verdicts.get(verdict);
		return (count != null) ? count.sum() : 0;
	}

	public long duplicates() {
		return count(Verdict.DUPLICATE) + this.doubled.sum();
	}

	/**
	 * Returns the number of errors of each class.
	 */
	public Map<String, Long> errors() {
		Map<String, Long> counts = new TreeMap<>();
		this.errors.forEach((kind, count) -> counts.put(kind, count.sum()));
		return counts;
	}

	public long errorCount() {
		return errors().values().stream().mapToLong(Long::longValue).sum();
	}

	/**
	 * Returns whether the run was complete and without errors, loss, unexpected closes
	 * and missed heart-beats. An interrupted run has not passed.
	 */
	public boolean passed(int sessions) {
		long broken = count(Verdict.GAP) + count(Verdict.OUT_OF_ORDER) + count(Verdict.BROKEN_CHAIN) + duplicates();
		long failed = errorCount() + this.unexpectedCloses.sum() + this.heartBeatMisses.sum() + this.lost.sum();
		return !Interrupt.requested() && failed + broken == 0 && this.established.sum() == sessions;
	}

	private static Histogram microseconds() {
		return new ConcurrentHistogram(LONGEST_MICROS, 3);
	}

}
