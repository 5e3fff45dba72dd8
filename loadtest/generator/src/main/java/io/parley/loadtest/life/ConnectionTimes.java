package io.parley.loadtest.life;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.measure.Measures;
import org.HdrHistogram.Histogram;

/**
 * When the connections of one user began and were lost, and when the next one is due. Not
 * safe for concurrent use.
 */
final class ConnectionTimes {

	private static final long BASE_NANOS = TimeUnit.SECONDS.toNanos(1);

	private static final long CAP_NANOS = TimeUnit.SECONDS.toNanos(30);

	private final LifeMeasures measures;

	private long openedAt;

	private long lostAt;

	private boolean inStorm;

	private boolean wasLive;

	private int failures;

	ConnectionTimes(LifeMeasures measures) {
		this.measures = measures;
	}

	void opened(long now) {
		if (this.wasLive) {
			this.measures.attempts.count(now);
		}
		this.openedAt = now;
	}

	void connected() {
		if (!this.wasLive) {
			Measures.since(this.openedAt, this.measures.all.connecting);
		}
	}

	/**
	 * Records that all rooms are live.
	 */
	void live() {
		this.failures = 0;
		if (this.wasLive) {
			record(this.inStorm ? this.measures.stormLive : this.measures.live,
					this.inStorm ? this.measures.stormBack : this.measures.back);
			(this.inStorm ? this.measures.stormReconnects : this.measures.reconnects).increment();
		}
		else {
			this.wasLive = true;
			this.measures.all.established.increment();
			Measures.since(this.openedAt, this.measures.all.subscribing);
		}
		this.inStorm = false;
	}

	private void record(Histogram sinceAttempt, Histogram sinceLoss) {
		Measures.since(this.openedAt, sinceAttempt);
		Measures.since(this.lostAt, sinceLoss);
	}

	/**
	 * Records that a live connection was lost.
	 */
	void lost() {
		this.lostAt = System.nanoTime();
	}

	/**
	 * Marks the loss as one of a storm, in which all users lose their connection.
	 */
	void storm() {
		this.inStorm = true;
	}

	/**
	 * Returns the time of the next attempt, as {@link System#nanoTime()}: back-off with
	 * full jitter, as the protocol requires.
	 */
	long nextAttempt() {
		long longest = Math.min(CAP_NANOS, BASE_NANOS << Math.min(this.failures++, 10));
		return System.nanoTime() + ThreadLocalRandom.current().nextLong(longest);
	}

}
