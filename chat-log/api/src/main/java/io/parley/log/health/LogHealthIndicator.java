package io.parley.log.health;

import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

import io.parley.log.RoomLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Reports whether the log accepts appends, and the lag of a reader. Short outages, such
 * as the restart of a broker, do not count: health is down only when the log has been
 * unavailable for the grace time, counted from the first check that found it.
 */
public class LogHealthIndicator extends AbstractHealthIndicator {

	private static final Logger logger = LoggerFactory.getLogger(LogHealthIndicator.class);

	private final RoomLog log;

	private final LongSupplier lag;

	private final long graceNanos;

	private final LongSupplier nanoTime;

	private @Nullable Long unavailableSince;

	private boolean down;

	/**
	 * @param lag returns how many records the reader is behind
	 * @param grace how long the log may be unavailable
	 */
	public LogHealthIndicator(RoomLog log, LongSupplier lag, Duration grace) {
		this(log, lag, grace, System::nanoTime);
	}

	LogHealthIndicator(RoomLog log, LongSupplier lag, Duration grace, LongSupplier nanoTime) {
		super("The log health check failed");
		this.log = log;
		this.lag = lag;
		this.graceNanos = grace.toNanos();
		this.nanoTime = nanoTime;
	}

	@Override
	protected synchronized void doHealthCheck(Health.Builder builder) {
		Optional<String> reason = this.log.unavailableReason();
		update(reason.orElse(null), isTooLong(reason.isPresent()));
		builder.status(this.down ? Status.DOWN : Status.UP).withDetail("behind", this.lag.getAsLong() + " records");
		reason.ifPresent((sentence) -> builder.withDetail("trouble", sentence));
	}

	private boolean isTooLong(boolean unavailable) {
		long now = this.nanoTime.getAsLong();
		if (!unavailable) {
			this.unavailableSince = null;
			return false;
		}
		if (this.unavailableSince == null) {
			this.unavailableSince = now;
		}
		return now - this.unavailableSince >= this.graceNanos;
	}

	private void update(@Nullable String reason, boolean isDown) {
		if (isDown && !this.down) {
			logger.warn("Not ready: {}", reason);
		}
		if (!isDown && this.down) {
			logger.info("Ready again: the log accepts appends");
		}
		this.down = isDown;
	}

}
