package io.parley.loadtest.measure;

import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

class MeasuresPartTests {

	private final Measures sum = new Measures();

	private final Measures one = new Measures();

	private final Measures other = new Measures();

	private final List<MeasuresPart.Reader> readers = List.of(new MeasuresPart.Reader(this.one),
			new MeasuresPart.Reader(this.other));

	@Test
	void hasThePercentilesOfAllValuesTogether() {
		Histogram all = new Histogram(3);
		Random random = new Random(42);
		for (int n = 0; n < 30_000; n++) {
			long micros = (long) Math.exp(random.nextDouble() * 17);
			((n % 3 == 0) ? this.one : this.other).delivering.recordValue(micros);
			all.recordValue(micros);
			if (n % 10_000 == 0) {
				merge();
			}
		}
		merge();
		assertThat(this.sum.delivering.getTotalCount()).isEqualTo(30_000);
		for (double percentile : new double[] { 0, 1, 50, 90, 99, 99.9, 99.99, 100 }) {
			assertThat(this.sum.delivering.getValueAtPercentile(percentile)).as("p%s", percentile)
				.isEqualTo(all.getValueAtPercentile(percentile));
		}
		Histogram interval = this.sum.deliveringSinceLastCall(null);
		assertThat(interval.getTotalCount()).as("for the chart over time").isEqualTo(30_000);
		assertThat(interval.getValueAtPercentile(99)).isEqualTo(all.getValueAtPercentile(99));
	}

	@Test
	void carriesEveryCounterAndHistogram() throws IllegalAccessException {
		int value = 1;
		for (Field field : fields()) {
			count(field, this.one, value++);
			count(field, this.other, value++);
		}
		merge();
		value = 1;
		for (Field field : fields()) {
			assertThat(counted(field, this.sum)).as(field.getName()).isEqualTo(value++ + value++);
		}
		merge();
		assertThat(this.sum.sent.sum()).as("nothing is new").isEqualTo(this.one.sent.sum() + this.other.sent.sum());
	}

	@Test
	void addsUpErrorsAndVerdictsByClass() {
		this.one.error("bad token");
		this.one.verdict(Verdict.GAP);
		this.other.errors("bad token", 2);
		merge();
		this.other.error("no receipt");
		this.other.verdict(Verdict.GAP);
		merge();
		assertThat(this.sum.errors()).hasSize(2).containsEntry("bad token", 3L).containsEntry("no receipt", 1L);
		assertThat(this.sum.count(Verdict.GAP)).isEqualTo(2);
		assertThat(this.sum.count(Verdict.DUPLICATE)).isZero();
	}

	@Test
	void takesBackWhatWasCountedDown() {
		this.one.live.add(3);
		this.other.live.add(4);
		merge();
		this.one.live.decrement();
		merge();
		assertThat(this.sum.live.sum()).isEqualTo(6);
	}

	/**
	 * Adds the new measurements of both processes, serialized as if they came from
	 * another process.
	 */
	private void merge() {
		JsonMapper json = JsonMapper.shared();
		this.readers.forEach(
				(reader) -> json.readValue(json.writeValueAsString(reader.next()), MeasuresPart.class).addTo(this.sum));
	}

	private static List<Field> fields() {
		List<Field> fields = Arrays.stream(Measures.class.getDeclaredFields())
			.filter((field) -> field.getType() == LongAdder.class || field.getType() == Histogram.class)
			.toList();
		assertThat(fields).hasSizeGreaterThan(15);
		return fields;
	}

	private static void count(Field field, Measures measures, int value) throws IllegalAccessException {
		if (field.get(measures) instanceof LongAdder counter) {
			counter.add(value);
		}
		else {
			((Histogram) field.get(measures)).recordValueWithCount(1000, value);
		}
	}

	private static long counted(Field field, Measures measures) throws IllegalAccessException {
		return (field.get(measures) instanceof LongAdder counter) ? counter.sum()
				: ((Histogram) field.get(measures)).getTotalCount();
	}

}
