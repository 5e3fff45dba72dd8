package io.parley.loadtest.measure;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
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

	/** Sessions that the server rejected with a Retry-After, and that connect again. */
	public final LongAdder turnedAway = new LongAdder();

	/** Connections cut by the kit itself. */
	public final LongAdder cut = new LongAdder();

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

	/** From the scheduled start of the connection to CONNECTED. */
	public final Histogram connecting = microseconds();

	/** From the scheduled start of the connection to the receipt of SUBSCRIBE. */
	public final Histogram subscribing = microseconds();

	/** From the scheduled start of the connection to the receipt of DISCONNECT. */
	public final Histogram whole = microseconds();

	/** From the loss of the connection to the last of the missed events. */
	public final Histogram resuming = microseconds();

	/**
	 * From the start of the next connection to the last of the missed events, without the
	 * back-off before it.
	 */
	public final Histogram catchingUp = microseconds();

	/** From the scheduled time of a message to its RECEIPT. */
	public final Histogram accepting = microseconds();

	/** From the scheduled time of a message to its MESSAGE, for each receiver. */
	public final Histogram delivering = microseconds();

	private final Recorder deliveringNow = new Recorder(3);

	private final Map<Verdict, LongAdder> verdicts = new EnumMap<>(Verdict.class);

	private final ConcurrentMap<String, LongAdder> errors = new ConcurrentHashMap<>();

	public Measures() {
		for (Verdict verdict : Verdict.values()) {
			this.verdicts.put(verdict, new LongAdder());
		}
	}

	/**
	 * Returns all counters, always in the same order.
	 */
	List<LongAdder> counters() {
		List<LongAdder> counters = new ArrayList<>(
				List.of(this.turnedAway, this.cut, this.established, this.live, this.sent, this.accepted,
						this.delivered, this.unexpectedCloses, this.heartBeatMisses, this.lost, this.doubled));
		counters.addAll(this.verdicts.values());
		return counters;
	}

	/**
	 * Returns all histograms by their names in a report, in reading order.
	 */
	public SequencedMap<String, Histogram> histograms() {
		SequencedMap<String, Histogram> histograms = new LinkedHashMap<>();
		histograms.put("started late by this generator", this.starting);
		histograms.put("connected", this.connecting);
		histograms.put("subscribed", this.subscribing);
		histograms.put("whole session", this.whole);
		histograms.put("caught up after a lost connection", this.resuming);
		histograms.put("caught up after the reconnect began", this.catchingUp);
		histograms.put("accepted (SEND to RECEIPT)", this.accepting);
		histograms.put("delivered (SEND to each MESSAGE)", this.delivering);
		return histograms;
	}

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
	 * Adds the values that another process measured to one of the histograms.
	 */
	void add(Histogram histogram, Histogram micros) {
		histogram.add(micros);
		if (histogram == this.delivering) {
			micros.recordedValues()
				.forEach((value) -> this.deliveringNow.recordValueWithCount(value.getValueIteratedTo(),
						value.getCountAddedInThisIterationStep()));
		}
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
		counter(verdict).increment();
	}

	public long count(Verdict verdict) {
		return counter(verdict).sum();
	}

	private LongAdder counter(Verdict verdict) {
		return Objects.requireNonNull(this.verdicts.get(verdict));
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
	 * Returns the number of failures of each kind that every run checks, the worst first.
	 */
	public SequencedMap<String, Long> failures() {
		SequencedMap<String, Long> failures = new LinkedHashMap<>();
		failures.put("lost", this.lost.sum());
		failures.put("duplicate", duplicates());
		failures.put("out of order", count(Verdict.OUT_OF_ORDER));
		failures.put("gaps", count(Verdict.GAP));
		failures.put("broken chains", count(Verdict.BROKEN_CHAIN));
		failures.put("unexpected closes", this.unexpectedCloses.sum());
		failures.put("heart-beat misses", this.heartBeatMisses.sum());
		return failures;
	}

	/**
	 * Returns whether the run was complete and without errors, loss, unexpected closes
	 * and missed heart-beats. An interrupted run has not passed.
	 */
	public boolean passed(int sessions) {
		return !Interrupt.requested() && failures().values().stream().allMatch((count) -> count == 0)
				&& errorCount() == 0 && this.established.sum() == sessions;
	}

	/**
	 * Returns the achievement of a passed run, or the failures of a failed one, as one
	 * sentence.
	 */
	public String verdict(boolean passed, String achievement, int sessions) {
		if (Interrupt.requested()) {
			return "Interrupted, so not passed: these figures cover only the part that ran.";
		}
		return (passed ? achievement : String.join(", ", wrong(sessions))) + ".";
	}

	/**
	 * Returns descriptions of the failures in order of severity, the worst first.
	 */
	public List<String> wrong(int sessions) {
		SequencedMap<String, Long> counts = failures();
		counts.put("sessions never subscribed", sessions - this.established.sum());
		List<String> wrong = new ArrayList<>();
		counts.forEach((kind, count) -> {
			if (count > 0) {
				wrong.add(String.format(Locale.ROOT, "%,d %s", count, kind));
			}
		});
		errors().entrySet()
			.stream()
			.max(Map.Entry.comparingByValue())
			.ifPresent((most) -> wrong
				.add(String.format(Locale.ROOT, "%,d errors, most often \"%s\"", errorCount(), most.getKey())));
		return wrong;
	}

	private static Histogram microseconds() {
		return new ConcurrentHistogram(LONGEST_MICROS, 3);
	}

}
