package io.parley.loadtest;

import java.util.ArrayList;
import java.util.List;

/**
 * Follows the positions of one subscription: they must grow, and each event must name the
 * one before it. Used by one thread at a time.
 */
final class SubscriptionCheck {

	/** What an event says about those before it. */
	enum Verdict {

		/** It follows the last one. */
		IN_ORDER,
		/** Events between the last one and this one are missing, so far. */
		GAP,
		/** It was missing, and comes too late. */
		OUT_OF_ORDER,
		/** It was here before. */
		DUPLICATE,
		/** It claims to follow an event from before the last one. */
		BROKEN_CHAIN

	}

	private record Gap(long after, long upTo) {

		boolean holds(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	private long last;

	private List<Gap> gaps = List.of();

	/** The subscription starts after this position. */
	void startAfter(long head) {
		this.last = head;
	}

	Verdict check(long position, long prev) {
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
			if (gap.holds(position)) {
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
