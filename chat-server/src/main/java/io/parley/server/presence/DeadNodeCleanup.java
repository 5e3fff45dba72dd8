package io.parley.server.presence;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import io.parley.store.presence.NodePresence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Removes the presence of servers that died or stopped from the store, and publishes
 * which users went offline or away with them.
 */
@Component
class DeadNodeCleanup {

	private static final Logger log = LoggerFactory.getLogger(DeadNodeCleanup.class);

	/** The clients of a dead server need a moment to reconnect to another one. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private final NodePresence presence;

	private final ApplicationEventPublisher events;

	private final String node;

	private final Map<String, Lease> leases = new HashMap<>();

	DeadNodeCleanup(NodePresence presence, ApplicationEventPublisher events, NodeProperties node) {
		this.presence = presence;
		this.events = events;
		this.node = node.idOrHostName();
	}

	/**
	 * A lease as last seen. A server counts as dead when its lease has expired and has
	 * not changed for a while by the clock of this server, because the clocks of two
	 * servers may differ.
	 */
	private record Lease(Instant expiresAt, long since) {

		boolean isDead() {
			return this.expiresAt.isBefore(Instant.now().minus(GRACE))
					&& System.nanoTime() - this.since >= GRACE.toNanos();
		}

	}

	@Scheduled(fixedDelay = 1_000)
	void remove() {
		try {
			Map<String, Instant> present = this.presence.leases();
			present.remove(this.node);
			this.leases.keySet().retainAll(present.keySet());
			present.forEach((other, expiresAt) -> {
				Lease lease = this.leases.get(other);
				if (lease == null || !lease.expiresAt().equals(expiresAt)) {
					this.leases.put(other, new Lease(expiresAt, System.nanoTime()));
				}
				else if (lease.isDead()) {
					remove(other, expiresAt);
				}
			});
		}
		catch (RuntimeException ex) {
			// PresenceLease already warns that the database is unavailable.
			log.debug("Failed to remove the presence of dead servers; retrying every second", ex);
		}
	}

	private void remove(String other, Instant expiresAt) {
		log.info("Server '{}' is gone; removing its presence", other);
		boolean more = true;
		while (more) {
			NodePresence.Removed removed = this.presence.remove(other, expiresAt);
			removed.changed().forEach((user, state) -> this.events.publishEvent(new PresenceChanged(user, state)));
			more = removed.more();
		}
	}

}
