package io.parley.loadtest.measure;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import org.HdrHistogram.Histogram;

/**
 * Reads the growth of measures, in parts. Not safe for concurrent use.
 */
public final class MeasuresMeter {

	private final Measures measures;

	private final List<LongAdder> counters;

	private final List<Histogram> histograms;

	private final List<Histogram> read;

	private final Map<Object, Long> counted = new HashMap<>();

	public MeasuresMeter(Measures measures) {
		this.measures = measures;
		this.counters = MeasuresPart.counters(measures);
		this.histograms = new ArrayList<>(MeasuresPart.histograms(measures));
		this.histograms.add(measures.delivering);
		this.read = new ArrayList<>(this.histograms.stream().map(Histogram::copy).toList());
	}

	/**
	 * Returns the measurements since the last call.
	 */
	public MeasuresPart next() {
		List<Long> counts = this.counters.stream().map((counter) -> increase(counter, counter.sum())).toList();
		List<String> encoded = new ArrayList<>();
		for (int n = 0; n < this.histograms.size(); n++) {
			encoded.add(MeasuresPart.encode(increase(n)));
		}
		Map<Verdict, Long> verdicts = new HashMap<>();
		for (Verdict verdict : Verdict.values()) {
			verdicts.put(verdict, increase(verdict, this.measures.count(verdict)));
		}
		Map<String, Long> errors = new HashMap<>();
		this.measures.errors().forEach((kind, count) -> errors.put(kind, increase(kind, count)));
		return new MeasuresPart(counts, encoded, verdicts, errors);
	}

	/**
	 * Returns the growth of a counter, a verdict or an error class.
	 */
	private long increase(Object what, long now) {
		Long before = this.counted.put(what, now);
		return now - ((before != null) ? before : 0);
	}

	private Histogram increase(int n) {
		Histogram now = this.histograms.get(n).copy();
		Histogram part = now.copy();
		part.subtract(this.read.set(n, now));
		return part;
	}

}
