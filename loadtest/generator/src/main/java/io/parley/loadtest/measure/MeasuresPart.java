package io.parley.loadtest.measure;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.zip.DataFormatException;

import org.HdrHistogram.Histogram;

/**
 * The measurements of one process over some time, to be added to the measures of all
 * processes. Histograms are added bucket by bucket, so the percentiles are those of all
 * values together.
 *
 * @param counters in the order of {@link Measures#counters()}
 * @param histograms in the order of {@link Measures#histograms()}, compressed; those
 * without values are empty
 */
public record MeasuresPart(List<Long> counters, List<byte[]> histograms, Map<String, Long> errors) {

	/**
	 * Reads the growth of measures, in parts. Not safe for concurrent use.
	 */
	public static final class Reader {

		private final Measures measures;

		private List<Long> counters;

		private List<Histogram> histograms;

		private Map<String, Long> errors = Map.of();

		public Reader(Measures measures) {
			this.measures = measures;
			this.counters = measures.counters().stream().map(LongAdder::sum).toList();
			this.histograms = measures.histograms().values().stream().map(Histogram::copy).toList();
		}

		/**
		 * Returns the measurements since the last call.
		 */
		public MeasuresPart next() {
			Reader now = new Reader(this.measures);
			now.errors = this.measures.errors();
			Map<String, Long> newErrors = new HashMap<>(now.errors);
			newErrors.replaceAll((kind, count) -> count - this.errors.getOrDefault(kind, 0L));
			MeasuresPart part = new MeasuresPart(
					IntStream.range(0, now.counters.size())
						.mapToObj((n) -> now.counters.get(n) - this.counters.get(n))
						.toList(),
					IntStream.range(0, now.histograms.size())
						.mapToObj((n) -> encode(now.histograms.get(n), this.histograms.get(n)))
						.toList(),
					newErrors);
			this.counters = now.counters;
			this.histograms = now.histograms;
			this.errors = now.errors;
			return part;
		}

	}

	/**
	 * Adds this part to the measures. Not safe for concurrent use: a histogram must not
	 * be added to by two threads.
	 */
	public void addTo(Measures measures) {
		Iterator<Long> counts = this.counters.iterator();
		measures.counters().forEach((counter) -> counter.add(counts.next()));
		Iterator<byte[]> encoded = this.histograms.iterator();
		measures.histograms().values().forEach((sum) -> {
			byte[] bytes = encoded.next();
			if (bytes.length > 0) {
				measures.add(sum, decode(bytes));
			}
		});
		this.errors.forEach(measures::errors);
	}

	private static byte[] encode(Histogram now, Histogram before) {
		Histogram growth = now.copy();
		growth.subtract(before);
		ByteBuffer bytes = ByteBuffer.allocate(growth.getNeededByteBufferCapacity());
		int length = (growth.getTotalCount() > 0) ? growth.encodeIntoCompressedByteBuffer(bytes) : 0;
		return Arrays.copyOf(bytes.array(), length);
	}

	private static Histogram decode(byte[] bytes) {
		try {
			return Histogram.decodeFromCompressedByteBuffer(ByteBuffer.wrap(bytes), 0);
		}
		catch (DataFormatException ex) {
			throw new IllegalArgumentException("a histogram that cannot be read", ex);
		}
	}

}
