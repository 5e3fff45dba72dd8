package io.parley.loadtest.life;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.user.RestApi.Tokens;

/**
 * The tokens of one user, which are refreshed after 80 per cent of their lifetime. Safe
 * for use by many threads.
 */
final class UserTokens {

	private static final double REFRESH_AFTER = 0.8;

	private volatile Tokens current;

	private long refreshAt;

	/**
	 * Creates the tokens of a user who has had them for some time already: users begin at
	 * different times.
	 */
	UserTokens(Tokens first) {
		this.current = first;
		this.refreshAt = System.nanoTime() + (long) (lifetime() * ThreadLocalRandom.current().nextDouble());
	}

	private double lifetime() {
		return REFRESH_AFTER * TimeUnit.SECONDS.toNanos(this.current.expiresIn());
	}

	Tokens current() {
		return this.current;
	}

	void replace(Tokens next) {
		this.current = next;
	}

	/**
	 * Returns whether it is time for a refresh, once.
	 */
	synchronized boolean takeDue(long now) {
		boolean due = now - this.refreshAt >= 0;
		if (due) {
			this.refreshAt = now + (long) lifetime();
		}
		return due;
	}

}
