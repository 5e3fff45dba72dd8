package io.parley.server.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.presence.PresenceWriter;
import io.parley.server.session.ChatSession;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.RoomPresence;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Writes to the store who follows which room live on this server. The push decision uses
 * it: users who follow a room get no push. Lost sessions are written too, with the time
 * at which their client last sent something.
 */
@Component
class FollowerWriter implements PresenceWriter {

	private static final int BATCH_SIZE = 1_000;

	/**
	 * Limit while the database is unavailable. Further lost sessions are not recorded.
	 */
	private static final int MAX_LOST = 100_000;

	private final RoomPresence presence;

	private final LostSessionRepository lostSessions;

	/**
	 * What each user follows. Changed in {@link Map#compute} only, like {@link #changed}
	 * for the same key.
	 */
	private final Map<String, Following> following = new ConcurrentHashMap<>();

	/** Users whose row in the store may not be up to date. */
	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final Map<LostKey, LostSession> lost = new ConcurrentHashMap<>();

	/** Whether there may be rows left by an earlier run of this server. */
	private boolean leftovers;

	FollowerWriter(RoomPresence presence, LostSessionRepository lostSessions) {
		this.presence = presence;
		this.lostSessions = lostSessions;
	}

	/**
	 * The rooms that a user follows.
	 *
	 * @param subscriptions the number of subscriptions to each room on this server
	 * @param stored the rooms in the store; null if they are not known
	 */
	private record Following(Map<String, Integer> subscriptions, @Nullable Set<String> stored) {

		static final Following NONE = new Following(Map.of(), Set.of());

		Following and(String room) {
			Map<String, Integer> more = new HashMap<>(this.subscriptions);
			more.merge(room, 1, Integer::sum);
			return new Following(Map.copyOf(more), this.stored);
		}

		Following without(String room) {
			Map<String, Integer> fewer = new HashMap<>(this.subscriptions);
			fewer.computeIfPresent(room, (key, count) -> (count > 1) ? count - 1 : null);
			return new Following(Map.copyOf(fewer), this.stored);
		}

		Set<String> rooms() {
			return this.subscriptions.keySet();
		}

		boolean isStored() {
			return rooms().equals(this.stored);
		}

	}

	private record LostKey(String session, String room) {
	}

	/** Records that a session of the user has subscribed to the room. */
	void entered(String room, ChatSession session) {
		this.following.compute(session.user(), (user, before) -> {
			this.changed.add(user);
			return ((before != null) ? before : Following.NONE).and(room);
		});
	}

	/** Records that a subscription reported by {@link #entered} has ended. */
	void left(String room, ChatSession session) {
		this.following.computeIfPresent(session.user(), (user, before) -> {
			this.changed.add(user);
			return before.without(room);
		});
		if (session.lost() && this.lost.size() < MAX_LOST) {
			this.lost.put(new LostKey(session.id(), room),
					new LostSession(session.id(), room, session.user(), session.lastReceivedAt(), Instant.now()));
		}
	}

	@Override
	public void begin(String node) {
		this.leftovers = true;
		this.following.keySet().forEach(this::writeAgain);
	}

	@Override
	public boolean write(String node) {
		if (this.leftovers) {
			this.leftovers = this.presence.clearSome(node);
			return true;
		}
		List<String> users = this.changed.stream().limit(BATCH_SIZE).toList();
		Map<String, Set<String>> rooms = new HashMap<>();
		users.forEach((user) -> take(user, rooms));
		List<LostSession> gone = takeLost();
		try {
			this.presence.store(node, rooms);
			this.lostSessions.add(gone.stream().filter(this::hasMissedSomething).toList());
		}
		catch (RuntimeException ex) {
			rooms.keySet().forEach(this::writeAgain);
			gone.forEach((session) -> this.lost.put(new LostKey(session.id(), session.room()), session));
			throw ex;
		}
		return users.size() == BATCH_SIZE || gone.size() == BATCH_SIZE;
	}

	/**
	 * Takes the rooms of a user to be written, unless they are stored already. From here
	 * on they count as written, so a change in between is written next time.
	 */
	private void take(String taken, Map<String, Set<String>> rooms) {
		this.following.computeIfPresent(taken, (user, now) -> {
			this.changed.remove(user);
			if (!now.isStored()) {
				rooms.put(user, now.rooms());
			}
			return now.rooms().isEmpty() ? null : new Following(now.subscriptions(), now.rooms());
		});
	}

	/** Marks a user whose row in the store is unknown. */
	private void writeAgain(String unknown) {
		this.following.compute(unknown, (user, before) -> {
			this.changed.add(user);
			return new Following((before != null) ? before.subscriptions() : Map.of(), null);
		});
	}

	private List<LostSession> takeLost() {
		List<LostSession> taken = new ArrayList<>();
		this.lost.keySet().stream().limit(BATCH_SIZE).toList().forEach((key) -> {
			LostSession session = this.lost.remove(key);
			if (session != null) {
				taken.add(session);
			}
		});
		return taken;
	}

	/**
	 * Returns whether the user has no other session in the room. With another session,
	 * the user has missed nothing.
	 */
	private boolean hasMissedSomething(LostSession session) {
		Following now = this.following.get(session.username());
		return now == null || !now.rooms().contains(session.room());
	}

}
