package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.store.push.PushTaskRepository;

/**
 * Renews the claims of the batches in progress. Otherwise another worker would take the
 * tasks of a slow batch and notify their users twice.
 */
class PushClaims {

	private final Set<String> claims = ConcurrentHashMap.newKeySet();

	private final PushTaskRepository tasks;

	private final Duration takeover;

	private final Clock clock;

	private long renewedAt = System.nanoTime();

	PushClaims(PushTaskRepository tasks, Duration takeover, Clock clock) {
		this.tasks = tasks;
		this.takeover = takeover;
		this.clock = clock;
	}

	void add(String claim) {
		this.claims.add(claim);
	}

	void remove(String claim) {
		this.claims.remove(claim);
	}

	/**
	 * Renews all claims if a quarter of their time has passed since the last renewal.
	 * Must be called often, by one thread.
	 */
	void renew() {
		if (System.nanoTime() - this.renewedAt > this.takeover.dividedBy(4).toNanos()) {
			this.renewedAt = System.nanoTime();
			Instant until = this.clock.instant().plus(this.takeover);
			this.claims.forEach((claim) -> this.tasks.renew(claim, until));
		}
	}

}
