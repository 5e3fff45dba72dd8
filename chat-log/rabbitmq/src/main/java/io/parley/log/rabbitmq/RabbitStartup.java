package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.function.Supplier;

import com.rabbitmq.stream.AuthenticationFailureException;
import com.rabbitmq.stream.StreamException;
import io.parley.log.LogUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for a broker that is not up yet: in a cluster everything starts at the same time.
 */
final class RabbitStartup {

	private static final Logger logger = LoggerFactory.getLogger(RabbitStartup.class);

	private final RabbitLogSettings settings;

	private final long deadline;

	RabbitStartup(RabbitLogSettings settings) {
		this.settings = settings;
		this.deadline = System.nanoTime() + settings.startTimeout().toNanos();
	}

	/**
	 * Retries until the attempt succeeds.
	 * @throws LogUnavailableException if the time has elapsed, or a retry can't help
	 */
	<T> T untilItSucceeds(Supplier<T> attempt) {
		for (int number = 0; true; number++) {
			try {
				return attempt.get();
			}
			catch (StreamException | IllegalStateException ex) {
				throwIfNotRetryable(ex);
				Duration pause = Broker.pause(number);
				if (System.nanoTime() + pause.toNanos() > this.deadline) {
					throw unavailable("can't be used (" + reason(ex)
							+ "): start it with its stream plugin, or correct chat.log.rabbitmq.*", ex);
				}
				logger.warn("{} can't be used yet ({}); retrying in {} ms, for up to {} s in total",
						this.settings.where(), reason(ex), pause.toMillis(), this.settings.startTimeout().toSeconds());
				sleep(pause);
			}
		}
	}

	/**
	 * Throws if a retry can't help. Any other failure may be that of a broker that is
	 * still starting, including a missing virtual host.
	 */
	private void throwIfNotRetryable(RuntimeException ex) {
		if (ex instanceof AuthenticationFailureException) {
			throw unavailable("refuses user '" + this.settings.username() + "' or its password: check both", ex);
		}
	}

	private static String reason(Throwable ex) {
		Throwable cause = ex;
		while (cause.getCause() != null) {
			cause = cause.getCause();
		}
		return String.valueOf(cause.getMessage());
	}

	private void sleep(Duration pause) {
		try {
			Thread.sleep(pause);
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
