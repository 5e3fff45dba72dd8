package io.parley.server.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.presence.PresenceWriter;
import io.parley.server.session.ChatSession;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessionRepository;
import io.parley.store.presence.RoomPresence;
import io.parley.store.presence.RoomPresence.Follower;

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

	/** Changed in {@link Map#compute} only, like {@link #changed} for the same key. */
	private final Map<Follower, Following> following = new ConcurrentHashMap<>();

	/** Followers whose row in the store is not up to date. */
	private final Set<Follower> changed = ConcurrentHashMap.newKeySet();

	private final Map<LostKey, LostSession> lost = new ConcurrentHashMap<>();

	/** Whether there may be rows left by an earlier run of this server. */
	private boolean leftovers;

	FollowerWriter(RoomPresence presence, LostSessionRepository lostSessions) {
		this.presence = presence;
		this.lostSessions = lostSessions;
	}

	/**
	 * How a user follows a room.
	 *
	 * @param subscriptions the number of subscriptions on this server
	 * @param stored whether there may be a row in the store
	 */
	private record Following(int subscriptions, boolean stored) {

		static final Following NONE = new Following(0, false);

	}

	private record LostKey(String session, String room) {
	}

	/** Records that a session of the user has subscribed to the room. */
	void entered(String room, ChatSession session) {
		this.following.compute(new Follower(room, session.user()),
				(follower, before) -> changed(follower, (before != null) ? before : Following.NONE, 1));
	}

	/** Records that a subscription reported by {@link #entered} has ended. */
	void left(String room, ChatSession session) {
		Follower left = new Follower(room, session.user());
		this.following.computeIfPresent(left, (follower, before) -> {
			Following after = changed(follower, before, -1);
			return after.equals(Following.NONE) ? null : after;
		});
		if (session.lost() && this.lost.size() < MAX_LOST) {
			this.lost.put(new LostKey(session.id(), room),
					new LostSession(session.id(), room, session.user(), session.lastReceivedAt(), Instant.now()));
		}
	}

	/**
	 * Changes the number of subscriptions. A follower who has entered and left since the
	 * last write needs no write.
	 */
	private Following changed(Follower follower, Following before, int difference) {
		Following after = new Following(before.subscriptions() + difference, before.stored());
		if (after.subscriptions() > 0 == after.stored()) {
			this.changed.remove(follower);
		}
		else {
			this.changed.add(follower);
		}
		return after;
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
		List<Follower> entered = new ArrayList<>();
		List<Follower> left = new ArrayList<>();
		this.changed.stream().limit(BATCH_SIZE).toList().forEach((follower) -> take(follower, entered, left));
		List<LostSession> gone = takeLost();
		try {
			this.presence.enter(node, entered);
			this.presence.leave(node, left);
			this.lostSessions.add(gone.stream().filter(this::hasMissedSomething).toList());
		}
		catch (RuntimeException ex) {
			entered.forEach(this::writeAgain);
			left.forEach(this::writeAgain);
			gone.forEach((session) -> this.lost.put(new LostKey(session.id(), session.room()), session));
			throw ex;
		}
		return entered.size() + left.size() == BATCH_SIZE || gone.size() == BATCH_SIZE;
	}

	/**
	 * Takes a follower to be written. From here on the row counts as written, so a change
	 * in between is written next time.
	 */
	private void take(Follower taken, List<Follower> entered, List<Follower> left) {
		this.following.computeIfPresent(taken, (follower, before) -> {
			if (!this.changed.remove(follower)) {
				return before;
			}
			boolean follows = before.subscriptions() > 0;
			(follows ? entered : left).add(follower);
			return follows ? new Following(before.subscriptions(), true) : null;
		});
	}

	/** Marks a follower whose row in the store is unknown. */
	private void writeAgain(Follower unknown) {
		this.following.compute(unknown, (follower, before) -> {
			this.changed.add(follower);
			return new Following((before != null) ? before.subscriptions() : 0, true);
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
		Following now = this.following.get(new Follower(session.room(), session.username()));
		return now == null || now.subscriptions() == 0;
	}

}
