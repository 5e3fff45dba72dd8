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
 * Whether the log takes appends, and how far a reader is behind it. Trouble that is over
 * soon, such as the restart of a broker, does not count: health is down only when the
 * trouble is as old as the grace time, counted from the first look that has found it.
 */
public class LogHealthIndicator extends AbstractHealthIndicator {

	private static final Logger logger = LoggerFactory.getLogger(LogHealthIndicator.class);

	private final RoomLog log;

	private final LongSupplier behind;

	private final long graceNanos;

	private final LongSupplier nanoTime;

	private @Nullable Long troubleSince;

	private boolean down;

	/**
	 * @param behind how many records the reader is behind
	 * @param grace how long there may be trouble
	 */
	public LogHealthIndicator(RoomLog log, LongSupplier behind, Duration grace) {
		this(log, behind, grace, System::nanoTime);
	}

	LogHealthIndicator(RoomLog log, LongSupplier behind, Duration grace, LongSupplier nanoTime) {
		super("The log can't be asked");
		this.log = log;
		this.behind = behind;
		this.graceNanos = grace.toNanos();
		this.nanoTime = nanoTime;
	}

	@Override
	protected synchronized void doHealthCheck(Health.Builder builder) {
		Optional<String> trouble = this.log.trouble();
		tell(trouble.orElse(null), isTooLong(trouble.isPresent()));
		builder.status(this.down ? Status.DOWN : Status.UP).withDetail("behind", this.behind.getAsLong() + " records");
		trouble.ifPresent((sentence) -> builder.withDetail("trouble", sentence));
	}

	private boolean isTooLong(boolean trouble) {
		long now = this.nanoTime.getAsLong();
		if (!trouble) {
			this.troubleSince = null;
			return false;
		}
		if (this.troubleSince == null) {
			this.troubleSince = now;
		}
		return now - this.troubleSince >= this.graceNanos;
	}

	private void tell(@Nullable String trouble, boolean isDown) {
		if (isDown && !this.down) {
			logger.warn("Not ready: {}", trouble);
		}
		if (!isDown && this.down) {
			logger.info("Ready again: the log takes appends");
		}
		this.down = isDown;
	}

}
