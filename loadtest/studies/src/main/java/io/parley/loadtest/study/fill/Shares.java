package io.parley.loadtest.study.fill;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Divides messages between rooms.
 */
final class Shares {

	/** How much more is sent to larger rooms. */
	private static final double SIZE_EXPONENT = 0.3;

	private Shares() {
	}

	/**
	 * Returns the number of messages of each room: the share falls with the rank, which
	 * is drawn, and rises a little with the number of members. The sum is exact.
	 * @param sizes the number of members of each room; a room without members gets none
	 */
	static List<Long> of(long messages, List<Integer> sizes, long seed) {
		List<Integer> ranks = new ArrayList<>(IntStream.rangeClosed(1, sizes.size()).boxed().toList());
		Collections.shuffle(ranks, new Random(seed));
		double[] weights = IntStream.range(0, sizes.size())
			.mapToDouble((n) -> (sizes.get(n) > 0) ? Math.pow(sizes.get(n), SIZE_EXPONENT) / ranks.get(n) : 0)
			.toArray();
		double sum = DoubleStream.of(weights).sum();
		List<Long> shares = new ArrayList<>();
		double before = 0;
		for (double weight : weights) {
			double after = before + weight;
			shares.add(Math.round(messages * after / sum) - Math.round(messages * before / sum));
			before = after;
		}
		return shares;
	}

}
