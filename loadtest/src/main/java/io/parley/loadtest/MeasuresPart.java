package io.parley.loadtest;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;

import io.parley.loadtest.SubscriptionCheck.Verdict;
import org.HdrHistogram.Histogram;

/**
 * What one process measured in some time, to be added to the measures of all. Histograms
 * are added bucket by bucket, so percentiles are those of all values together.
 *
 * @param counters in the order of {@link #counters(Measures)}
 * @param histograms in the order of {@link #histograms(Measures)}, each compressed and in
 * base64, or an empty text
 */
record MeasuresPart(List<Long> counters, List<String> histograms, Map<Verdict, Long> verdicts,
		Map<String, Long> errors) {

	static List<LongAdder> counters(Measures measures) {
		return List.of(measures.turnedAway, measures.cut, measures.replayed, measures.established, measures.live,
				measures.sent, measures.accepted, measures.delivered, measures.unexpectedCloses,
				measures.heartBeatMisses, measures.lost, measures.doubled);
	}

	/** All but that of the deliveries, which is the last of a part. */
	static List<Histogram> histograms(Measures measures) {
		return List.of(measures.starting, measures.connecting, measures.subscribing, measures.whole, measures.resuming,
				measures.catchingUp, measures.accepting);
	}

	/** Adds it. Not for concurrent use: a histogram is not safe for two that add. */
	void addTo(Measures measures) {
		List<LongAdder> totals = counters(measures);
		IntStream.range(0, totals.size()).forEach((n) -> totals.get(n).add(this.counters.get(n)));
		List<Histogram> sums = histograms(measures);
		for (int n = 0; n < sums.size(); n++) {
			if (!this.histograms.get(n).isEmpty()) {
				sums.get(n).add(decode(this.histograms.get(n)));
			}
		}
		if (!this.histograms.getLast().isEmpty()) {
			measures.reached(decode(this.histograms.getLast()));
		}
		this.verdicts.forEach(measures::verdicts);
		this.errors.forEach(measures::errors);
	}

	/** An empty text for one without values. */
	static String encode(Histogram histogram) {
		if (histogram.getTotalCount() == 0) {
			return "";
		}
		ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
		int length = histogram.encodeIntoCompressedByteBuffer(bytes);
		return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
	}

	private static Histogram decode(String base64) {
		try {
			return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(Base64.getDecoder().decode(base64)), 0);
		}
		catch (DataFormatException ex) {
			throw new IllegalArgumentException("a histogram that cannot be read", ex);
		}
	}

}
