package io.parley.server.testing;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

import org.springframework.context.annotation.Primary;

/**
 * A clock for the sign-ins and tokens of a server that a test can set forward. Between
 * that, time passes as usual.
 */
@Primary
public final class TestClock extends Clock {

	private volatile Duration ahead = Duration.ZERO;

	public synchronized void forward(Duration duration) {
		this.ahead = this.ahead.plus(duration);
	}

	@Override
	public Instant instant() {
		return Instant.now().plus(this.ahead);
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
