package io.parley.loadtest.check;

import java.util.ArrayList;
import java.util.List;

/**
 * Follows the positions of one subscription: they must increase, and each event must
 * refer to the previous one. Not safe for concurrent use.
 */
public final class SubscriptionCheck {

	/**
	 * The relation of an event to the events before it.
	 */
	public enum Verdict {

		/** Follows the last event. */
		IN_ORDER,
		/** Events between the last event and this one are missing so far. */
		GAP,
		/** The event was missing and arrives late. */
		OUT_OF_ORDER,
		/** The event has arrived before. */
		DUPLICATE,
		/** The event refers to an event before the last one as its predecessor. */
		BROKEN_CHAIN

	}

	/**
	 * Missing events: those after {@code after}, up to and including {@code upTo}.
	 */
	public record Gap(long after, long upTo) {

		public boolean contains(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	private long last;

	private List<Gap> gaps = List.of();

	/**
	 * Sets the position after which the subscription starts.
	 */
	public void startAfter(long head) {
		this.last = head;
	}

	public Verdict check(long position, long prev) {
		if (position <= this.last) {
			return fill(position) ? Verdict.OUT_OF_ORDER : Verdict.DUPLICATE;
		}
		long before = this.last;
		this.last = position;
		if (prev > before) {
			add(new Gap(before, prev));
			return Verdict.GAP;
		}
		return (prev == before) ? Verdict.IN_ORDER : Verdict.BROKEN_CHAIN;
	}

	private boolean fill(long position) {
		for (Gap gap : this.gaps) {
			if (gap.contains(position)) {
				this.gaps.remove(gap);
				add(new Gap(gap.after(), position - 1));
				add(new Gap(position, gap.upTo()));
				return true;
			}
		}
		return false;
	}

	private void add(Gap gap) {
		if (this.gaps.isEmpty()) {
			this.gaps = new ArrayList<>();
		}
		if (gap.after() < gap.upTo()) {
			this.gaps.add(gap);
		}
	}

}
