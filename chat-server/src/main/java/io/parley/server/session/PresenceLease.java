package io.parley.server.session;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.store.presence.NodePresence;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells the store who is online here, for the push decision. Changes are written in
 * batches once a second; one lease of the node vouches for all of them, so that after a
 * crash they end by themselves.
 */
@Component
class PresenceLease {

	private static final Logger log = LoggerFactory.getLogger(PresenceLease.class);

	private static final Duration LEASE = Duration.ofSeconds(15);

	private final NodePresence presence;

	private final ChatSessions sessions;

	private final List<PresenceWriter> writers;

	private final String node;

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private boolean cleared;

	PresenceLease(NodePresence presence, ChatSessions sessions, List<PresenceWriter> writers, NodeProperties node) {
		this.presence = presence;
		this.sessions = sessions;
		this.writers = writers;
		this.node = node.idOrHostName();
	}

	@EventListener
	void online(ChatSessions.UserOnline event) {
		this.changed.add(event.user());
	}

	@EventListener
	void offline(ChatSessions.UserOffline event) {
		this.changed.add(event.user());
	}

	@Scheduled(fixedDelay = 1_000)
	void write() {
		Set<String> batch = new HashSet<>(this.changed);
		try {
			if (!this.cleared) {
				clear();
				this.cleared = true;
			}
			Instant now = Instant.now();
			// Removed before it is looked at: a change in between is written next time.
			this.changed.removeAll(batch);
			write(batch);
			this.writers.forEach((writer) -> writer.write(this.node));
			// Last: it vouches for all that is written.
			this.presence.renew(this.node, now, LEASE);
		}
		catch (RuntimeException ex) {
			this.changed.addAll(batch);
			log.warn("Presence of {} users waits for the database", batch.size(), ex);
		}
	}

	private void write(Set<String> batch) {
		List<String> online = new ArrayList<>();
		List<String> offline = new ArrayList<>();
		batch.forEach((user) -> (this.sessions.online(user) ? online : offline).add(user));
		if (!online.isEmpty()) {
			this.presence.online(this.node, online);
		}
		if (!offline.isEmpty()) {
			this.presence.offline(this.node, offline);
		}
	}

	@PreDestroy
	void clear() {
		this.presence.clear(this.node);
		this.writers.forEach((writer) -> writer.clear(this.node));
	}

}
