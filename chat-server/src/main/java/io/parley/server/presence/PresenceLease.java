package io.parley.server.presence;

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
 * Writes to the store who is online on this server and who follows which room. Changes
 * are written in small batches once a second. One lease of the node covers all of them,
 * so that they expire after a crash.
 */
@Component
class PresenceLease {

	private static final Logger log = LoggerFactory.getLogger(PresenceLease.class);

	private static final Duration LEASE = Duration.ofSeconds(15);

	/** After this time, the lease is renewed before writing continues. */
	private static final Duration MAX_WRITE_TIME = Duration.ofSeconds(3);

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

	/** Runs on its own thread: no other job may delay the lease. */
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
			Instant validAt = writeAll();
			// Last, because the lease covers everything that is written.
			this.begun = this.presence.renew(this.node, validAt, Instant.now().plus(LEASE));
		}
		catch (RuntimeException ex) {
			log.warn("Writing presence failed; retrying every second", ex);
		}
	}

	/**
	 * Writes changes for a limited time.
	 * @return the time at which everything written was true: changes after the start of
	 * the last round may not be written; null if something is left to write
	 */
	private @Nullable Instant writeAll() {
		long start = System.nanoTime();
		while (System.nanoTime() - start < MAX_WRITE_TIME.toNanos()) {
			Instant round = Instant.now();
			if (!writeRound()) {
				return round;
			}
		}
		return null;
	}

	/** Writes one batch of each writer, even if another writer fails. */
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
	 * Keeps the rows: another server announces the users who do not reconnect, or this
	 * one after its restart.
	 */
	@PreDestroy
	synchronized void end() {
		this.ended = true;
		this.presence.end(this.node);
	}

}
