package io.parley.loadtest.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import org.HdrHistogram.Histogram;

/**
 * The measurements of one process over some time, to be added to the measures of all
 * processes. Histograms are added bucket by bucket, so the percentiles are those of all
 * values together.
 *
 * @param counters in the order of {@link #counters(Measures)}
 * @param histograms in the order of {@link #histograms(Measures)}, then that of the
 * deliveries, each compressed and in base64, or an empty string
 */
public record MeasuresPart(List<Long> counters, List<String> histograms, Map<Verdict, Long> verdicts,
		Map<String, Long> errors) {

	static List<LongAdder> counters(Measures measures) {
		return List.of(measures.turnedAway, measures.cut, measures.replayed, measures.established, measures.live,
				measures.sent, measures.accepted, measures.delivered, measures.unexpectedCloses,
				measures.heartBeatMisses, measures.lost, measures.doubled);
	}

	/**
	 * Returns all histograms except that of the deliveries, which comes last in a part.
	 */
	static List<Histogram> histograms(Measures measures) {
		return List.of(measures.starting, measures.connecting, measures.subscribing, measures.whole, measures.resuming,
				measures.catchingUp, measures.accepting);
	}

	/**
	 * Adds this part to the measures. Not safe for concurrent use: a histogram must not
	 * be added to by two threads.
	 */
	public void addTo(Measures measures) {
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

	/**
	 * Encodes a histogram; returns an empty string for one without values.
	 */
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
