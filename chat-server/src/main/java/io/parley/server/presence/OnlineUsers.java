package io.parley.server.presence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.session.SessionRegistry;
import io.parley.store.presence.NodePresence;
import io.parley.store.presence.PresenceState;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Writes to the store which users are connected to this server, and away there. A user
 * stays in the store for 5 seconds after the last session has ended, because most users
 * reconnect soon, here or on another server.
 */
@Component
class OnlineUsers implements PresenceWriter {

	private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

	private static final int BATCH_SIZE = 200;

	private final NodePresence presence;

	private final SessionRegistry sessions;

	private final ApplicationEventPublisher events;

	/** When to write each user, as a value of {@link System#nanoTime}. */
	private final Map<String, Long> due = new ConcurrentHashMap<>();

	/**
	 * Users announced as online while the database was unavailable. Used by one thread at
	 * a time.
	 */
	private final Set<String> announcedUnwritten = new HashSet<>();

	OnlineUsers(NodePresence presence, SessionRegistry sessions, ApplicationEventPublisher events) {
		this.presence = presence;
		this.sessions = sessions;
		this.events = events;
	}

	@EventListener
	void online(SessionRegistry.UserOnline event) {
		this.due.put(event.user(), System.nanoTime());
	}

	@EventListener
	void offline(SessionRegistry.UserOffline event) {
		this.due.put(event.user(), System.nanoTime() + GRACE_NANOS);
	}

	@EventListener
	void away(SessionRegistry.UserAway event) {
		this.due.put(event.user(), System.nanoTime() + (event.reported() ? 0 : GRACE_NANOS));
	}

	/**
	 * Treats users whom an earlier run of this server has left in the store like users
	 * who have just disconnected.
	 */
	@Override
	public void begin(String node) {
		this.sessions.users().forEach((user) -> this.due.put(user, System.nanoTime()));
		List<String> left = this.presence.usersOf(node, "", BATCH_SIZE);
		while (!left.isEmpty()) {
			left.forEach((user) -> this.due.putIfAbsent(user, System.nanoTime() + GRACE_NANOS));
			left = this.presence.usersOf(node, left.getLast(), BATCH_SIZE);
		}
	}

	/**
	 * Announces at once users who connect while the database is unavailable. Users who
	 * disconnect then are announced when it is available again, because they may be
	 * connected to another server.
	 */
	@Override
	public boolean write(String node) {
		Map<String, Long> batch = takeDue();
		Map<String, Boolean> online = new HashMap<>();
		List<String> offline = new ArrayList<>();
		batch.keySet().forEach((user) -> {
			PresenceState state = this.sessions.stateOf(user);
			if (state.isConnected()) {
				online.put(user, state == PresenceState.AWAY);
			}
			else {
				offline.add(user);
			}
		});
		try {
			this.presence.online(node, online).forEach((user, state) -> {
				if (state != PresenceState.ONLINE || !this.announcedUnwritten.contains(user)) {
					publish(user, state);
				}
			});
			Map<String, PresenceState> changed = new HashMap<>(this.presence.offline(node, offline));
			offline.stream()
				.filter(this.announcedUnwritten::contains)
				.forEach((user) -> changed.putIfAbsent(user, PresenceState.OFFLINE));
			changed.forEach(this::publish);
			this.announcedUnwritten.removeAll(batch.keySet());
		}
		catch (RuntimeException ex) {
			batch.forEach(this.due::putIfAbsent);
			online.keySet()
				.stream()
				.filter(this.announcedUnwritten::add)
				.forEach((user) -> publish(user, PresenceState.ONLINE));
			throw ex;
		}
		return batch.size() == BATCH_SIZE;
	}

	/**
	 * Takes due users. Each entry is removed before the user is checked, so a change in
	 * between is written next time.
	 */
	private Map<String, Long> takeDue() {
		Map<String, Long> batch = new HashMap<>();
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.due.entrySet()) {
			if (batch.size() == BATCH_SIZE) {
				break;
			}
			Long time = entry.getValue();
			if (time - now <= 0 && this.due.remove(entry.getKey(), time)) {
				batch.put(entry.getKey(), time);
			}
		}
		return batch;
	}

	private void publish(String user, PresenceState state) {
		this.events.publishEvent(new PresenceChanged(user, state));
	}

}
