package io.parley.server.presence;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.session.SessionRegistry;
import io.parley.store.presence.LastSeenRepository;
import io.parley.store.presence.PresenceState;
import jakarta.annotation.PreDestroy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * When users were last online and not away. Stored once a minute while they are, and a
 * moment after they no longer are. Does nothing unless {@code chat.presence.last-seen} is
 * on. Safe for use by many threads.
 */
@Component
public class LastSeen {

	private static final Logger log = LoggerFactory.getLogger(LastSeen.class);

	private static final Duration INTERVAL = Duration.ofMinutes(1);

	/** Most users who disconnect reconnect soon. */
	private static final Duration GRACE = Duration.ofSeconds(5);

	private static final int MAX_BATCH = 1_000;

	private static final int MAX_USERS = 100_000;

	private final LastSeenRepository stored;

	private final SessionRegistry sessions;

	private final boolean enabled;

	/** Users who are online here and not away. */
	private final Set<String> active = ConcurrentHashMap.newKeySet();

	/** When users stopped to be active, until it is stored. */
	private final Map<String, Instant> left = new ConcurrentHashMap<>();

	/** Users of whom something was stored less than a minute ago. */
	private final Cache<String, Boolean> recent = Caffeine.newBuilder()
		.maximumSize(MAX_USERS)
		.expireAfterWrite(INTERVAL)
		.build();

	LastSeen(LastSeenRepository stored, SessionRegistry sessions, PresenceProperties properties) {
		this.stored = stored;
		this.sessions = sessions;
		this.enabled = properties.lastSeen();
	}

	/** Returns whether it is stored and shown when users were last seen. */
	public boolean isEnabled() {
		return this.enabled;
	}

	/**
	 * Returns when users were last seen, without those of whom the viewer may not know
	 * it. Empty if it is not shown on this server.
	 */
	public Map<String, Instant> visibleTo(String viewer, Collection<String> users) {
		return this.enabled ? this.stored.visibleTo(viewer, users) : Map.of();
	}

	@EventListener
	void online(SessionRegistry.UserOnline event) {
		changed(event.user(), true);
	}

	@EventListener
	void away(SessionRegistry.UserAway event) {
		changed(event.user(), !event.away());
	}

	@EventListener
	void offline(SessionRegistry.UserOffline event) {
		changed(event.user(), false);
	}

	private void changed(String user, boolean nowActive) {
		if (!this.enabled) {
			return;
		}
		if (nowActive) {
			this.active.add(user);
		}
		else if (this.active.remove(user) && this.left.size() < MAX_USERS) {
			this.left.put(user, Instant.now());
		}
	}

	@Scheduled(fixedDelay = 1_000)
	void write() {
		if (this.enabled) {
			try {
				store(due(Instant.now().minus(GRACE)));
			}
			catch (RuntimeException ex) {
				log.debug("Failed to store when users were last seen; the next attempt is in a second", ex);
			}
		}
	}

	/** Loses nothing when the server stops in order. */
	@PreDestroy
	void writeAll() {
		try {
			this.active.forEach((user) -> this.left.put(user, Instant.now()));
			this.active.clear();
			for (Map<String, Instant> due = due(Instant.MAX); !due.isEmpty(); due = due(Instant.MAX)) {
				store(due);
			}
		}
		catch (RuntimeException ex) {
			log.warn("Failed to store when {} users were last seen", this.left.size(), ex);
		}
	}

	private Map<String, Instant> due(Instant leftBefore) {
		Map<String, Instant> due = new HashMap<>();
		this.left.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().isBefore(leftBefore))
			.limit(MAX_BATCH)
			.forEach((entry) -> due.put(entry.getKey(), entry.getValue()));
		Instant now = Instant.now();
		this.active.stream()
			.filter((user) -> this.recent.getIfPresent(user) == null)
			.limit(MAX_BATCH - due.size())
			.forEach((user) -> due.put(user, now));
		return due;
	}

	private void store(Map<String, Instant> due) {
		Map<String, Instant> seen = new HashMap<>();
		due.forEach((user, at) -> {
			// A return is stored once a minute.
			boolean back = this.sessions.stateOf(user) == PresenceState.ONLINE;
			if (!back || this.recent.getIfPresent(user) == null) {
				seen.put(user, at.truncatedTo(ChronoUnit.MILLIS));
			}
		});
		this.stored.see(seen);
		seen.keySet().forEach((user) -> this.recent.put(user, true));
		due.forEach(this.left::remove);
	}

}
