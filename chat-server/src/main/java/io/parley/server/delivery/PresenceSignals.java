package io.parley.server.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.session.ChatSessions;
import io.parley.store.presence.NodePresence;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Room;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Tells the rooms of a user that they came or went. Going is told late, because most who
 * go are back in a moment; large rooms are not told, because there somebody always comes
 * or goes.
 */
@Component
class PresenceSignals {

	private static final int MAX_MEMBERS = 100;

	private static final Duration GRACE = Duration.ofSeconds(5);

	private final ChatSessions sessions;

	private final MemberRepository members;

	private final NodePresence elsewhere;

	private final RoomSignals signals;

	private final Map<String, Instant> due = new ConcurrentHashMap<>();

	private final Set<String> toldOnline = ConcurrentHashMap.newKeySet();

	PresenceSignals(ChatSessions sessions, MemberRepository members, NodePresence elsewhere, RoomSignals signals) {
		this.sessions = sessions;
		this.members = members;
		this.elsewhere = elsewhere;
		this.signals = signals;
	}

	@EventListener
	void online(ChatSessions.UserOnline event) {
		this.due.put(event.user(), Instant.now());
	}

	@EventListener
	void offline(ChatSessions.UserOffline event) {
		this.due.put(event.user(), Instant.now().plus(GRACE));
	}

	@Scheduled(fixedDelay = 1_000)
	void tell() {
		Instant now = Instant.now();
		this.due.forEach((user, time) -> {
			if (!time.isAfter(now) && this.due.remove(user, time)) {
				tell(user, isOnline(user, now));
			}
		});
	}

	/** A session on another server counts too; the store knows of it by now. */
	private boolean isOnline(String user, Instant now) {
		return this.sessions.online(user) || !this.elsewhere.onlineAmong(Set.of(user), now).isEmpty();
	}

	private void tell(String user, boolean online) {
		boolean changed = online ? this.toldOnline.add(user) : this.toldOnline.remove(user);
		if (changed) {
			this.members.roomsOf(user)
				.stream()
				.filter((room) -> room.getMemberCount() <= MAX_MEMBERS)
				.map(Room::getId)
				.forEach((room) -> this.signals.presence(room, user, online));
		}
	}

}
