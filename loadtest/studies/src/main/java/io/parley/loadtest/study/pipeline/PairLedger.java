package io.parley.loadtest.study.pipeline;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * The outcome of each message of one sender, by its sequence, in three bits each. Safe
 * for use by many threads.
 */
final class PairLedger {

	private final BitSet accepted = new BitSet();

	private final BitSet delivered = new BitSet();

	private final BitSet stored = new BitSet();

	/**
	 * The gaps that the server reported to the receiver.
	 */
	private final List<Gap> gaps = new ArrayList<>();

	private record Gap(long after, long upTo) {

		boolean contains(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	/**
	 * Marks a message as accepted.
	 * @return false when it was accepted before
	 */
	synchronized boolean accepted(long sequence) {
		return mark(this.accepted, sequence);
	}

	/**
	 * Marks a message as delivered.
	 * @return false when it was delivered before
	 */
	synchronized boolean delivered(long sequence) {
		return mark(this.delivered, sequence);
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
			mark(this.delivered, sequence);
		}
		return mark(this.stored, sequence);
	}

	private static boolean mark(BitSet bits, long sequence) {
		int bit = Math.toIntExact(sequence);
		boolean first = !bits.get(bit);
		bits.set(bit);
		return first;
	}

	synchronized long storedCount() {
		return this.stored.cardinality();
	}

	synchronized long deliveredCount() {
		return this.delivered.cardinality();
	}

	/**
	 * Returns the number of accepted messages that are not in the history.
	 */
	synchronized long notStored() {
		return without(this.accepted, this.stored);
	}

	/**
	 * Returns the number of stored messages that the receiver got neither live nor from
	 * the history after a gap.
	 */
	synchronized long notDelivered() {
		return without(this.stored, this.delivered);
	}

	private static long without(BitSet all, BitSet some) {
		BitSet rest = (BitSet) all.clone();
		rest.andNot(some);
		return rest.cardinality();
	}

}
