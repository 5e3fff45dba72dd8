package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.store.presence.NodePresence;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells the store who is online here, and who follows which room. Changes are written in
 * small batches once a second; one lease of the node vouches for all of them, so that
 * after a crash they end by themselves.
 */
@Component
class PresenceLease {

	private static final Logger log = LoggerFactory.getLogger(PresenceLease.class);

	private static final Duration LEASE = Duration.ofSeconds(15);

	/** After so much writing the lease is renewed, and then the writing goes on. */
	private static final Duration WRITING = Duration.ofSeconds(3);

	private final NodePresence presence;

	private final List<PresenceWriter> writers;

	private final String node;

	private boolean begun;

	private boolean ended;

	PresenceLease(NodePresence presence, List<PresenceWriter> writers, NodeProperties node) {
		this.presence = presence;
		this.writers = writers;
		this.node = node.idOrHostName();
	}

	/** Has a thread of its own: no other job may hold up the lease. */
	@Scheduled(fixedDelay = 1_000, scheduler = "presenceScheduler")
	synchronized void write() {
		if (this.ended) {
			return;
		}
		try {
			if (!this.begun) {
				this.presence.begin(this.node, Instant.now().plus(LEASE));
				this.writers.forEach((writer) -> writer.begin(this.node));
			}
			Instant trueAt = writeAll();
			// Last, because it vouches for all that is written.
			this.begun = this.presence.renew(this.node, trueAt, Instant.now().plus(LEASE));
		}
		catch (RuntimeException ex) {
			log.warn("Presence waits for the database", ex);
		}
	}

	/**
	 * Writes for a while.
	 * @return when all that is written was true: what changed after the last round had
	 * begun may not be written. Null when something is left
	 */
	private @Nullable Instant writeAll() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < WRITING.toNanos()) {
			Instant round = Instant.now();
			if (!writeRound()) {
				return round;
			}
		}
		return null;
	}

	/** Lets each write a part, also when another can't. */
	private boolean writeRound() {
		boolean more = false;
		RuntimeException failure = null;
		for (PresenceWriter writer : this.writers) {
			try {
				more |= writer.write(this.node);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
		return more;
	}

	/**
	 * The rows stay: another server tells who does not come back, or this one after its
	 * start.
	 */
	@PreDestroy
	synchronized void end() {
		this.ended = true;
		this.presence.end(this.node);
	}

}
