package io.parley.loadtest;

import java.util.concurrent.TimeUnit;

/** When a connection was last used in each direction, and what was agreed on. */
final class HeartBeat {

	private static final long OFF = Long.MAX_VALUE;

	private volatile long lastSent = System.nanoTime();

	private volatile long lastReceived = System.nanoTime();

	private volatile long sendEvery = OFF;

	private volatile long expectEvery = OFF;

	/**
	 * Takes the server's offer and demand in milliseconds; 0 switches a direction off.
	 */
	void agree(long[] server) {
		this.expectEvery = slower(server[0]);
		this.sendEvery = slower(server[1]);
	}

	void sent() {
		this.lastSent = System.nanoTime();
	}

	void received() {
		this.lastReceived = System.nanoTime();
	}

	/** Well before the interval is over: the network takes time too. */
	boolean isDue(long now) {
		return this.sendEvery != OFF && now - this.lastSent > this.sendEvery / 4 * 3;
	}

	/** Nothing for twice the interval; each further such silence counts again. */
	boolean isMissed(long now) {
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
