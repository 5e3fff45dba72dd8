package io.parley.loadtest.ledger;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.ledger.Follower.Seen;

/**
 * Compares the records of the senders with the server's history and with the events that
 * followers received.
 */
final class LedgerCounts {

	int inHistory;

	/** Acknowledged, but not in the history. */
	int lost;

	/** More than once in the history. */
	int duplicated;

	/** In the history, but never sent to that room. */
	int unexpected;

	/** Positions at which the order of a history or of a follower is broken. */
	int outOfOrder;

	/** Events that a follower did not receive, without a reported gap. */
	int missed;

	/** Events that a follower did not receive, within a reported gap. */
	int gaps;

	/** Reported gaps in which no event was missing. */
	int emptyGaps;

	/** Events that a follower received twice, or that the history does not contain. */
	int phantoms;

	/**
	 * Retried messages that were delivered live at a second position, which the protocol
	 * allows.
	 */
	int doubledByRetry;

	int notRecovered;

	/** Events that were replayed after a reconnect. */
	int replayed;

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

	void add(Follower follower, RoomHistory history, SendLedger ledger) {
		int doubled = addSeen(follower, history, ledger.repeated());
		boolean missedWithinGap = addMissed(follower, history);
		this.doubledByRetry += doubled;
		this.notRecovered += follower.notRecovered();
		this.replayed += follower.replayed();
		this.phantoms += follower.count(Verdict.DUPLICATE);
		this.emptyGaps += missedWithinGap ? 0 : follower.count(Verdict.GAP);
		// If the duplicate of a retried message was the last event before a reconnect,
		// the next event refers to the position in the history, which breaks the chain.
		this.outOfOrder += follower.count(Verdict.OUT_OF_ORDER)
				+ Math.max(0, follower.count(Verdict.BROKEN_CHAIN) - doubled);
	}

	/**
	 * Returns the number of retried messages that arrived at a second position.
	 */
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

	/**
	 * Returns whether an event within a reported gap was missed.
	 */
	private boolean addMissed(Follower follower, RoomHistory history) {
		Set<Long> positions = follower.seen().stream().map(Seen::position).collect(Collectors.toSet());
		int before = this.gaps;
		for (long position : history.positionsAfter(follower.begin())) {
			if (!positions.contains(position)) {
				boolean reported = follower.hasReportedGapAt(position);
				this.gaps += reported ? 1 : 0;
				this.missed += reported ? 0 : 1;
			}
		}
		return this.gaps > before;
	}

	/**
	 * Returns whether no message was lost, repeated, misplaced or missed.
	 */
	boolean isCorrect() {
		return this.lost + this.duplicated + this.unexpected + this.outOfOrder + this.missed + this.gaps
				+ this.phantoms == 0;
	}

}
