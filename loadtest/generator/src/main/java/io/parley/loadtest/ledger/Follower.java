package io.parley.loadtest.ledger;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Gap;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * The events of one room as a user receives them over all connections, each resumed after
 * the last position. Safe for use by many threads.
 */
final class Follower {

	private static final long NO_MESSAGE = -1;

	private final String run;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);

	private final List<Seen> seen = new ArrayList<>();

	/** Gaps that the server reported. */
	private final List<Gap> gaps = new ArrayList<>();

	private @Nullable Long begin;

	private long last;

	private long resumeHead;

	private int replayed;

	private int notRecovered;

	/**
	 * A received event.
	 *
	 * @param sequence of the message, or -1 for any other event
	 */
	record Seen(long position, long sequence) {
	}

	Follower(String run) {
		this.run = run;
	}

	/**
	 * Returns the position to resume after; null before the first subscription.
	 */
	synchronized @Nullable Long resumeAfter() {
		return (this.begin != null) ? this.last : null;
	}

	synchronized void subscribed(EventBody body) {
		if (this.begin == null) {
			this.begin = body.head();
			this.last = body.head();
			this.check.startAfter(body.head());
		}
		else {
			this.resumeHead = body.head();
			this.notRecovered += body.recovered() ? 0 : 1;
		}
	}

	/**
	 * Returns whether all events up to the head at the time of the last resume have
	 * arrived.
	 */
	synchronized boolean isCaughtUp() {
		return this.last >= this.resumeHead;
	}

	/**
	 * Handles an event with a position.
	 * @return the message of this run in it, if it is new
	 */
	synchronized @Nullable LoadMessage event(StompHeaderAccessor headers, EventBody body) {
		long position = number(headers, "position");
		long prev = number(headers, "prev");
		Verdict verdict = this.check.check(position, prev);
		this.verdicts.merge(verdict, 1, Integer::sum);
		if (verdict == Verdict.GAP) {
			this.gaps.add(new Gap(this.last, prev));
		}
		if (verdict == Verdict.DUPLICATE) {
			return null;
		}
		this.replayed += (position <= this.resumeHead) ? 1 : 0;
		this.last = Math.max(this.last, position);
		LoadMessage message = LoadMessage.parse(body.text());
		LoadMessage own = (message != null && message.run().equals(this.run)) ? message : null;
		this.seen.add(new Seen(position, (own != null) ? own.sequence() : NO_MESSAGE));
		return own;
	}

	synchronized int replayed() {
		return this.replayed;
	}

	synchronized long begin() {
		return (this.begin != null) ? this.begin : Long.MAX_VALUE;
	}

	synchronized long last() {
		return this.last;
	}

	synchronized int count(Verdict verdict) {
		return this.verdicts.getOrDefault(verdict, 0);
	}

	synchronized int notRecovered() {
		return this.notRecovered;
	}

	synchronized List<Seen> seen() {
		return List.copyOf(this.seen);
	}

	/**
	 * Returns whether the server reported a gap that contains this position.
	 */
	synchronized boolean hasReportedGapAt(long position) {
		return this.gaps.stream().anyMatch((gap) -> gap.contains(position));
	}

	private static long number(StompHeaderAccessor headers, String name) {
		String value = headers.getFirstNativeHeader(name);
		return (value != null) ? Long.parseLong(value) : 0;
	}

}
