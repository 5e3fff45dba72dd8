package io.parley.loadtest.life;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.measure.PeakRate;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * The measures of {@code life} in addition to those of every run. Safe for use by many
 * threads.
 */
final class LifeMeasures {

	private static final long LONGEST_MICROS = TimeUnit.HOURS.toMicros(1);

	final Measures all;

	/** From the loss of one connection to all rooms live, back-off included. */
	final Histogram back = microseconds();

	/** The same, from the start of the successful connection attempt. */
	final Histogram live = microseconds();

	/** The same two for a storm. */
	final Histogram stormBack = microseconds();

	final Histogram stormLive = microseconds();

	/** Time of the answers to requests. */
	final Histogram roomList = microseconds();

	final Histogram newestPage = microseconds();

	final Histogram details = microseconds();

	final Histogram refreshing = microseconds();

	final Histogram joining = microseconds();

	final LongAdder reconnects = new LongAdder();

	final LongAdder stormReconnects = new LongAdder();

	/** Connections that a stopping server closed. */
	final LongAdder moved = new LongAdder();

	/** Attempts to connect that failed while servers were replaced. */
	final LongAdder failedAttempts = new LongAdder();

	/** Attempts to connect again. */
	final PeakRate attempts = new PeakRate();

	final LongAdder replayed = new LongAdder();

	final LongAdder notRecovered = new LongAdder();

	final LongAdder serverGaps = new LongAdder();

	final LongAdder resent = new LongAdder();

	final LongAdder signals = new LongAdder();

	final LongAdder typings = new LongAdder();

	final LongAdder reads = new LongAdder();

	/** Messages that were replies in a thread. */
	final LongAdder replies = new LongAdder();

	final LongAdder reactions = new LongAdder();

	final LongAdder edits = new LongAdder();

	final LongAdder deletions = new LongAdder();

	/**
	 * Changes and replies that were refused: the message was deleted, or edited too
	 * often.
	 */
	final LongAdder overtaken = new LongAdder();

	final LongAdder switches = new LongAdder();

	final LongAdder joins = new LongAdder();

	final LongAdder leaves = new LongAdder();

	LifeMeasures(Measures all) {
		this.all = all;
	}

	/**
	 * Forgets the requests and reconnects before the hold.
	 */
	void forget() {
		List.of(this.back, this.live, this.roomList, this.newestPage, this.details, this.refreshing)
			.forEach(Histogram::reset);
		List.of(this.reconnects, this.reads, this.typings, this.replies, this.reactions, this.edits, this.deletions,
				this.overtaken, this.all.cut)
			.forEach(LongAdder::reset);
		this.attempts.reset();
	}

	/**
	 * Returns the histograms of requests with values, by name.
	 */
	SequencedMap<String, Histogram> requests() {
		SequencedMap<String, Histogram> named = new LinkedHashMap<>();
		named.put("GET /api/rooms", this.roomList);
		named.put("newest page of a room", this.newestPage);
		named.put("GET /api/rooms/{room}", this.details);
		named.put("POST /api/auth/refresh", this.refreshing);
		named.put("join and leave", this.joining);
		named.values().removeIf((histogram) -> histogram.getTotalCount() == 0);
		return named;
	}

	/**
	 * Returns the histograms of reconnects with values, by name.
	 */
	SequencedMap<String, Histogram> reconnected() {
		SequencedMap<String, Histogram> named = new LinkedHashMap<>();
		named.put("live again, from the attempt", this.live);
		named.put("live again, from the loss", this.back);
		named.put("storm: live again, from the attempt", this.stormLive);
		named.put("storm: live again, from the loss", this.stormBack);
		named.values().removeIf((histogram) -> histogram.getTotalCount() == 0);
		return named;
	}

	/**
	 * Returns the numbers of things done or received, by name.
	 */
	SequencedMap<String, Long> counts() {
		SequencedMap<String, Long> counts = new LinkedHashMap<>();
		counts.put("messages sent", this.all.sent.sum());
		counts.put("messages accepted", this.all.accepted.sum());
		counts.put("deliveries", this.all.delivered.sum());
		counts.put("signals received", this.signals.sum());
		counts.put("read markers sent", this.reads.sum());
		counts.put("typing signals sent", this.typings.sum());
		counts.put("replies in threads sent", this.replies.sum());
		counts.put("reactions sent", this.reactions.sum());
		counts.put("edits sent", this.edits.sum());
		counts.put("deletions sent", this.deletions.sum());
		counts.put("changes refused, message deleted or final", this.overtaken.sum());
		counts.put("rooms opened", this.switches.sum());
		counts.put("rooms left", this.leaves.sum());
		counts.put("rooms joined", this.joins.sum());
		counts.put("tokens refreshed", this.refreshing.getTotalCount());
		counts.put("connections cut", this.all.cut.sum());
		counts.put("reconnects", this.reconnects.sum());
		counts.put("connections closed by stopping servers", this.moved.sum());
		counts.put("attempts to connect that failed meanwhile", this.failedAttempts.sum());
		counts.put("most attempts to connect again in one second", this.attempts.peak());
		counts.put("reconnects of the storm", this.stormReconnects.sum());
		counts.put("missed events replayed", this.replayed.sum());
		counts.put("resumes that were not recovered", this.notRecovered.sum());
		counts.put("gap events of the server", this.serverGaps.sum());
		counts.put("messages sent again", this.resent.sum());
		return counts;
	}

	private static Histogram microseconds() {
		return new ConcurrentHistogram(LONGEST_MICROS, 3);
	}

}
