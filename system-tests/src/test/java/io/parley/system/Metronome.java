package io.parley.system;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Calls an action at a fixed rate, regardless of its outcome: an open loop. */
final class Metronome implements AutoCloseable {

	private final long interval;

	private final LongConsumer action;

	private final Thread thread = Thread.ofPlatform().name("metronome").unstarted(this::run);

	private volatile boolean stopped;

	private long beats;

	private long latest;

	private long start;

	private long end;

	Metronome(int perSecond, LongConsumer action) {
		this.interval = TimeUnit.SECONDS.toNanos(1) / perSecond;
		this.action = action;
	}

	Metronome start() {
		this.thread.start();
		return this;
	}

	private void run() {
		this.start = System.nanoTime();
		while (!this.stopped) {
			long due = this.start + this.beats * this.interval;
			for (long now = System.nanoTime(); now < due; now = System.nanoTime()) {
				LockSupport.parkNanos(due - now);
			}
			this.latest = Math.max(this.latest, System.nanoTime() - due);
			this.action.accept(this.beats++);
		}
		this.end = System.nanoTime();
	}

	/** Stops the calls. After that the figures are complete. */
	@Override
	public void close() throws InterruptedException {
		this.stopped = true;
		this.thread.join();
	}

	double seconds() {
		return (this.end - this.start) / 1e9;
	}

	double rate() {
		return this.beats / seconds();
	}

	/** Returns the maximum delay of a call in milliseconds. */
	long latestMillis() {
		return TimeUnit.NANOSECONDS.toMillis(this.latest);
	}

}
