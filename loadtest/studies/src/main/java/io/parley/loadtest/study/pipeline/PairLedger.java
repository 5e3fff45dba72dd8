package io.parley.loadtest.study.pipeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The steps that each message of one sender has completed, by its sequence, in three bits
 * each. Safe for use by many threads.
 */
final class PairLedger {

	/**
	 * The steps after the sending.
	 */
	enum Step {

		ACCEPTED, DELIVERED, STORED

	}

	private final Map<Step, BitSet> completed = new EnumMap<>(Step.class);

	/** The gaps that the server reported to the receiver. */
	private final List<Gap> gaps = new ArrayList<>();

	private record Gap(long after, long upTo) {

		boolean contains(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	/**
	 * Marks a message as accepted or delivered.
	 * @return false when it was marked before
	 */
	synchronized boolean mark(Step step, long sequence) {
		BitSet bits = bits(step);
		int bit = Math.toIntExact(sequence);
		boolean first = !bits.get(bit);
		bits.set(bit);
		return first;
	}

	synchronized void gap(long after, long upTo) {
		this.gaps.add(new Gap(after, upTo));
	}

	/**
	 * Marks a message as stored in the history. A message within a reported gap counts as
	 * delivered from now on.
	 * @return false when it was stored before, at another position
	 */
	synchronized boolean stored(long sequence, long position) {
		if (this.gaps.stream().anyMatch((gap) -> gap.contains(position))) {
			mark(Step.DELIVERED, sequence);
		}
		return mark(Step.STORED, sequence);
	}

	synchronized long count(Step step) {
		return bits(step).cardinality();
	}

	/**
	 * Returns the number of accepted messages that are not in the history, and of stored
	 * messages that the receiver got neither live nor from the history after a gap.
	 */
	synchronized long missing() {
		return without(Step.ACCEPTED, Step.STORED) + without(Step.STORED, Step.DELIVERED);
	}

	private long without(Step all, Step some) {
		BitSet rest = (BitSet) bits(all).clone();
		rest.andNot(bits(some));
		return rest.cardinality();
	}

	private BitSet bits(Step step) {
		return this.completed.computeIfAbsent(step, (key) -> new BitSet());
	}

}
