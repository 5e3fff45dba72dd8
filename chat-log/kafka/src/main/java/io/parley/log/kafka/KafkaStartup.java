package io.parley.log.kafka;

import java.time.Duration;
import java.util.function.Supplier;

import io.parley.log.LogUnavailableException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for brokers that are not up yet: in a cluster everything starts at the same time.
 */
final class KafkaStartup {

	private static final Logger logger = LoggerFactory.getLogger(KafkaStartup.class);

	private static final Duration PAUSE = Duration.ofMillis(500);

	private final KafkaLogSettings settings;

	private final long deadline;

	KafkaStartup(KafkaLogSettings settings) {
		this.settings = settings;
		this.deadline = System.nanoTime() + settings.startTimeout().toNanos();
	}

	/**
	 * Retries until the attempt succeeds.
	 * @throws LogUnavailableException if the time has elapsed, or a retry can't help
	 */
	<T> T untilItSucceeds(Supplier<T> attempt) {
		while (true) {
			try {
				return attempt.get();
			}
			catch (AuthenticationException | AuthorizationException ex) {
				throw unavailable("refuses this user (" + reason(ex)
						+ "): check chat.log.kafka.properties.* and the permissions of the user", ex);
			}
			catch (KafkaException ex) {
				if (System.nanoTime() + PAUSE.toNanos() > this.deadline) {
					throw unavailable("can't be used (" + reason(ex) + "): start it, or correct chat.log.kafka.*", ex);
				}
				logger.warn("{} can't be used yet ({}); retrying", this.settings.where(), reason(ex));
				sleep();
			}
		}
	}

	private static String reason(Throwable ex) {
		Throwable cause = ex;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return String.valueOf(cause.getMessage());
	}

	private void sleep() {
		try {
			Thread.sleep(PAUSE);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw unavailable("was not reached before the start was interrupted", ex);
		}
	}

	private LogUnavailableException unavailable(String what, Exception cause) {
		return new LogUnavailableException(this.settings.where() + " " + what, cause);
	}

}
