package io.parley.loadtest.stomp;

import java.util.concurrent.TimeUnit;

/**
 * The times at which a connection was last used in each direction, and the agreed
 * intervals.
 */
public final class HeartBeat {

	private static final long OFF = Long.MAX_VALUE;

	private volatile long lastSent = System.nanoTime();

	private volatile long lastReceived = System.nanoTime();

	private volatile long sendEvery = OFF;

	private volatile long expectEvery = OFF;

	/**
	 * Applies the server's offer and demand in milliseconds; 0 turns a direction off.
	 */
	public void agree(long[] server) {
		this.expectEvery = slower(server[0]);
		this.sendEvery = slower(server[1]);
	}

	void sent() {
		this.lastSent = System.nanoTime();
	}

	void received() {
		this.lastReceived = System.nanoTime();
	}

	/**
	 * Returns whether it is time to send. This is well before the end of the interval, to
	 * allow for network latency.
	 */
	public boolean isDue(long now) {
		return this.sendEvery != OFF && now - this.lastSent > this.sendEvery / 4 * 3;
	}

	/**
	 * Returns whether nothing was received for twice the interval. Each further silence
	 * of that length counts again.
	 */
	public boolean isMissed(long now) {
		boolean missed = this.expectEvery != OFF && now - this.lastReceived > 2 * this.expectEvery;
		if (missed) {
			this.lastReceived = now;
		}
		return missed;
	}

	private static long slower(long serverMillis) {
		return (serverMillis > 0) ? TimeUnit.MILLISECONDS.toNanos(Math.max(serverMillis, StompFrames.HEART_BEAT_MILLIS))
				: OFF;
	}

}
