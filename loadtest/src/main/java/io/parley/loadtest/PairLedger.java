package io.parley.loadtest;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * What became of each message of one sender, by its number: three bits for each. Safe for
 * concurrent use.
 */
final class PairLedger {

	private final BitSet accepted = new BitSet();

	private final BitSet delivered = new BitSet();

	private final BitSet stored = new BitSet();

	/** What the server told the receiver to look up. */
	private final List<Gap> gaps = new ArrayList<>();

	private record Gap(long after, long upTo) {

		boolean holds(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	/** False when it was accepted before. */
	synchronized boolean accepted(long sequence) {
		return mark(this.accepted, sequence);
	}

	/** False when it was delivered before. */
	synchronized boolean delivered(long sequence) {
		return mark(this.delivered, sequence);
	}

	synchronized void gap(long after, long upTo) {
		this.gaps.add(new Gap(after, upTo));
	}

	/**
	 * It is in the history. When the receiver was told to look there, it counts as
	 * delivered from now on.
	 * @return false when it was there before, at another position
	 */
	synchronized boolean stored(long sequence, long position) {
		if (this.gaps.stream().anyMatch((gap) -> gap.holds(position))) {
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

	/** Accepted messages that the history does not hold. */
	synchronized long notStored() {
		return without(this.accepted, this.stored);
	}

	/** Stored messages that the receiver has not, neither live nor by looking them up. */
	synchronized long notDelivered() {
		return without(this.stored, this.delivered);
	}

	private static long without(BitSet all, BitSet some) {
		BitSet rest = (BitSet) all.clone();
		rest.andNot(some);
		return rest.cardinality();
	}

}
