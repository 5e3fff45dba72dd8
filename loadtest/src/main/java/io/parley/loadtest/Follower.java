package io.parley.loadtest;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.SubscriptionCheck.Verdict;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * The events of one room as a user gets them over all connections, each resumed after the
 * last position. Safe for concurrent use.
 */
final class Follower {

	private static final long NO_MESSAGE = -1;

	private final String run;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private final Map<Verdict, Integer> verdicts = new EnumMap<>(Verdict.class);

	private final List<Seen> seen = new ArrayList<>();

	private final List<Gap> gaps = new ArrayList<>();

	private @Nullable Long begin;

	private long last;

	private long resumeHead;

	private int replayed;

	private int notRecovered;

	/**
	 * An event that came.
	 *
	 * @param sequence of the message, or -1 for any other event
	 */
	record Seen(long position, long sequence) {
	}

	/** What the server said was between two events; both ends excluded, included. */
	record Gap(long after, long upTo) {

		boolean holds(long position) {
			return position > this.after && position <= this.upTo;
		}

	}

	Follower(String run) {
		this.run = run;
	}

	/** From where to resume; null at first. */
	synchronized @Nullable Long resumeAfter() {
		return (this.begin != null) ? this.last : null;
	}

	/** A subscription was answered. */
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

	/** Whether all is here that was there when it came back. */
	synchronized boolean isCaughtUp() {
		return this.last >= this.resumeHead;
	}

	/**
	 * An event with a position came.
	 * @return the message of this run in it, when it is new
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

	/** Events that came after a reconnect and were from before it. */
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

	/** Whether the server said that something was there which it did not deliver. */
	synchronized boolean toldOf(long position) {
		return this.gaps.stream().anyMatch((gap) -> gap.holds(position));
	}

	private static long number(StompHeaderAccessor headers, String name) {
		String value = headers.getFirstNativeHeader(name);
		return (value != null) ? Long.parseLong(value) : 0;
	}

}
