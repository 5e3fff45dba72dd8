package io.parley.loadtest;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.loadtest.Follower.Seen;
import io.parley.loadtest.SubscriptionCheck.Verdict;

/**
 * Holds what senders know against what the server has and what followers saw.
 */
final class LedgerCounts {

	int inHistory;

	/** Acknowledged, and not in the history. */
	int lost;

	/** More than once in the history. */
	int duplicated;

	/** In the history, and never sent there. */
	int unexpected;

	/** Places where the order of a history or of a follower is broken. */
	int outOfOrder;

	/** Events that a follower did not get, and was not told of. */
	int missed;

	/** Events that a follower did not get, and was told of. */
	int gaps;

	/** Times a follower was told of a gap in which there was nothing. */
	int emptyGaps;

	/** Events that a follower got twice, or that the history does not have. */
	int phantoms;

	/**
	 * Retried messages that came live under a second position, as the protocol allows.
	 */
	int doubledByRetry;

	int notRecovered;

	/** Events that came after a reconnect and were from before it. */
	int replayed;

	/** Adds a room's history. */
	void add(String room, RoomHistory history, SendLedger ledger) {
		Map<Long, String> attempted = ledger.attempted();
		this.unexpected += history.foreign();
		this.outOfOrder += history.outOfOrder();
		history.times().forEach((sequence, times) -> {
			this.inHistory++;
			this.duplicated += times - 1;
			if (!room.equals(attempted.get(sequence))) {
				this.unexpected++;
			}
		});
		ledger.acknowledged().forEach((sequence) -> {
			if (room.equals(attempted.get(sequence)) && !history.times().containsKey(sequence)) {
				this.lost++;
			}
		});
	}

	/** Adds what one follower of that room saw. */
	void add(Follower follower, RoomHistory history, SendLedger ledger) {
		int doubled = addSeen(follower, history, ledger.repeated());
		boolean missedWhatItWasToldOf = addMissed(follower, history);
		this.doubledByRetry += doubled;
		this.notRecovered += follower.notRecovered();
		this.replayed += follower.replayed();
		this.phantoms += follower.count(Verdict.DUPLICATE);
		this.emptyGaps += missedWhatItWasToldOf ? 0 : follower.count(Verdict.GAP);
		// Where a doubled message was the last before a reconnect, the next event names
		// the one in the history.
		this.outOfOrder += follower.count(Verdict.OUT_OF_ORDER)
				+ Math.max(0, follower.count(Verdict.BROKEN_CHAIN) - doubled);
	}

	/** Answers how many retried messages came at a position of their own. */
	private int addSeen(Follower follower, RoomHistory history, Set<Long> repeated) {
		int doubled = 0;
		for (Seen seen : follower.seen()) {
			Long there = history.at(seen.position());
			if (there != null) {
				this.outOfOrder += (there == seen.sequence()) ? 0 : 1;
			}
			else if (repeated.contains(seen.sequence()) && history.times().containsKey(seen.sequence())) {
				doubled++;
			}
			else {
				this.phantoms++;
			}
		}
		return doubled;
	}

	/** Answers whether something was missed of which the follower was told. */
	private boolean addMissed(Follower follower, RoomHistory history) {
		Set<Long> positions = follower.seen().stream().map(Seen::position).collect(Collectors.toSet());
		int before = this.gaps;
		for (long position : history.positionsAfter(follower.begin())) {
			if (!positions.contains(position)) {
				boolean told = follower.toldOf(position);
				this.gaps += told ? 1 : 0;
				this.missed += told ? 0 : 1;
			}
		}
		return this.gaps > before;
	}

	/** Whether everything is where it should be. */
	boolean fine() {
		return this.lost + this.duplicated + this.unexpected + this.outOfOrder + this.missed + this.gaps
				+ this.phantoms == 0;
	}

}
