package io.parley.server.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.jspecify.annotations.Nullable;

import org.springframework.context.annotation.Primary;

/**
 * A clock for the sign-ins and tokens of a server that a test can set forward or stop.
 * Otherwise time passes as usual.
 */
@Primary
public final class TestClock extends Clock {

	private volatile Duration ahead = Duration.ZERO;

	private volatile @Nullable Instant stoppedAt;

	public synchronized void forward(Duration duration) {
		this.ahead = this.ahead.plus(duration);
	}

	/** Lets a test take any time without passing a limit. */
	public void stop() {
		this.stoppedAt = instant();
	}

	/** Continues at the present time. */
	public void start() {
		this.stoppedAt = null;
	}

	@Override
	public Instant instant() {
		Instant stopped = this.stoppedAt;
		return (stopped != null) ? stopped : Instant.now().plus(this.ahead);
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		throw new UnsupportedOperationException();
	}

}
