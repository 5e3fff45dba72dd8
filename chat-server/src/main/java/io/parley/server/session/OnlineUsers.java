package io.parley.server.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.store.presence.NodePresence;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Writes who is connected to this server. A user stays in the store for a while after the
 * last session has gone, because most who go are back in a moment, here or on another
 * server.
 */
@Component
class OnlineUsers implements PresenceWriter {

	private static final long GRACE_NANOS = Duration.ofSeconds(5).toNanos();

	private static final int PORTION = 200;

	private final NodePresence presence;

	private final SessionRegistry sessions;

	private final ApplicationEventPublisher events;

	/** When to write a user, as {@link System#nanoTime} tells it. */
	private final Map<String, Long> due = new ConcurrentHashMap<>();

	/** Who was told as online while the database was away. One thread at a time. */
	private final Set<String> toldUnwritten = new HashSet<>();

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

	/**
	 * Users whom an earlier run of this server has left behind are as those who just
	 * went.
	 */
	@Override
	public void begin(String node) {
		this.sessions.users().forEach((user) -> this.due.put(user, System.nanoTime()));
		List<String> left = this.presence.usersOf(node, "", PORTION);
		while (!left.isEmpty()) {
			left.forEach((user) -> this.due.putIfAbsent(user, System.nanoTime() + GRACE_NANOS));
			left = this.presence.usersOf(node, left.getLast(), PORTION);
		}
	}

	/**
	 * Who comes while the database is away is told at once. Who goes then is told when it
	 * is back: they may be on another server.
	 */
	@Override
	public boolean write(String node) {
		Map<String, Long> portion = takeDue();
		List<String> online = new ArrayList<>();
		List<String> offline = new ArrayList<>();
		portion.keySet().forEach((user) -> (this.sessions.online(user) ? online : offline).add(user));
		try {
			Set<String> came = new HashSet<>(this.presence.online(node, online));
			came.stream().filter((user) -> !this.toldUnwritten.contains(user)).forEach((user) -> tell(user, true));
			Set<String> went = new HashSet<>(this.presence.offline(node, offline));
			offline.stream().filter(this.toldUnwritten::contains).forEach(went::add);
			went.forEach((user) -> tell(user, false));
			this.toldUnwritten.removeAll(portion.keySet());
		}
		catch (RuntimeException ex) {
			portion.forEach(this.due::putIfAbsent);
			online.stream().filter(this.toldUnwritten::add).forEach((user) -> tell(user, true));
			throw ex;
		}
		return portion.size() == PORTION;
	}

	/** Removed before it is looked at: a change in between is written next time. */
	private Map<String, Long> takeDue() {
		Map<String, Long> portion = new HashMap<>();
		long now = System.nanoTime();
		for (Map.Entry<String, Long> entry : this.due.entrySet()) {
			if (portion.size() == PORTION) {
				break;
			}
			Long time = entry.getValue();
			if (time - now <= 0 && this.due.remove(entry.getKey(), time)) {
				portion.put(entry.getKey(), time);
			}
		}
		return portion;
	}

	private void tell(String user, boolean online) {
		this.events.publishEvent(new PresenceChanged(user, online));
	}

}
