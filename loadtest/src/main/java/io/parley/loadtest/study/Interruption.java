package io.parley.loadtest.study;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C as a wish: the study ends early, and its report is still written. The JVM ends
 * when this is closed, or after half a minute.
 */
public final class Interruption implements AutoCloseable {

	private static final int MOST_SECONDS_TO_FINISH = 30;

	private final CountDownLatch finished = new CountDownLatch(1);

	private final Thread hook = new Thread(this::interrupted);

	private volatile boolean wanted;

	/** Listens from now on. */
	public Interruption() {
		Runtime.getRuntime().addShutdownHook(this.hook);
	}

	/** Whether the study should end; the servers that it started are ending too. */
	public boolean isWanted() {
		return this.wanted;
	}

	private void interrupted() {
		this.wanted = true;
		try {
			this.finished.await(MOST_SECONDS_TO_FINISH, TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		this.finished.countDown();
		if (!this.wanted) {
			Runtime.getRuntime().removeShutdownHook(this.hook);
		}
	}

}
