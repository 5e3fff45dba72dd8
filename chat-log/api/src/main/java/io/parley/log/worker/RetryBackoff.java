package io.parley.log.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Paces the attempts to read one partition, and tells when trouble begins and ends. For
 * one thread.
 */
public final class RetryBackoff {

	private static final Logger logger = LoggerFactory.getLogger(RetryBackoff.class);

	private final String where;

	private final ReaderSettings settings;

	private final CountDownLatch stopped;

	private int failures;

	/**
	 * @param where for the log of the application, as the subject of a sentence
	 * @param stopped ends a pause
	 */
	public RetryBackoff(String where, ReaderSettings settings, CountDownLatch stopped) {
		this.where = where;
		this.settings = settings;
		this.stopped = stopped;
	}

	/** Waits longer from failure to failure, or until the reader is stopped. */
	public void pause(RuntimeException cause) throws InterruptedException {
		if (this.failures == 0) {
			logger.warn("{} stands still and tries again until it succeeds; nothing is skipped", this.where, cause);
		}
		Duration pause = this.settings.firstPause().multipliedBy(1L << Math.min(this.failures, 20));
		if (pause.compareTo(this.settings.longestPause()) > 0) {
			pause = this.settings.longestPause();
		}
		this.failures++;
		this.stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** An attempt has succeeded. */
	public void over() {
		if (this.failures > 0) {
			logger.info("{} goes on after {} failed attempts", this.where, this.failures);
			this.failures = 0;
		}
	}

}
