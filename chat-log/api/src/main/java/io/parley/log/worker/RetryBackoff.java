package io.parley.log.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Back-off between failed attempts, such as those to read one partition. Logs when the
 * failures begin and end. For use by one thread.
 */
public final class RetryBackoff {

	private static final Logger logger = LoggerFactory.getLogger(RetryBackoff.class);

	private final String subject;

	private final ReaderSettings settings;

	private final CountDownLatch stopped;

	private int failures;

	/**
	 * @param subject the subject of the log messages
	 * @param stopped ends a pause early
	 */
	public RetryBackoff(String subject, ReaderSettings settings, CountDownLatch stopped) {
		this.subject = subject;
		this.settings = settings;
		this.stopped = stopped;
	}

	/** Waits after a failure, longer each time, or until the reader is stopped. */
	public void pause(RuntimeException cause) throws InterruptedException {
		if (this.failures == 0) {
			logger.warn("{} failed; retrying with back-off. No records are skipped.", this.subject, cause);
		}
		Duration pause = this.settings.firstPause().multipliedBy(1L << Math.min(this.failures, 20));
		if (pause.compareTo(this.settings.longestPause()) > 0) {
			pause = this.settings.longestPause();
		}
		this.failures++;
		this.stopped.await(pause.toNanos(), TimeUnit.NANOSECONDS);
	}

	/** Notes that an attempt has succeeded, which resets the back-off. */
	public void over() {
		if (this.failures > 0) {
			logger.info("{} recovered after {} failed attempts", this.subject, this.failures);
			this.failures = 0;
		}
	}

}
