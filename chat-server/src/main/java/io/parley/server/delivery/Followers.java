package io.parley.server.delivery;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.parley.server.session.ChatSession;
import io.parley.server.session.PresenceWriter;
import io.parley.store.presence.LostSession;
import io.parley.store.presence.LostSessions;
import io.parley.store.presence.RoomPresence;
import io.parley.store.presence.RoomPresence.Follower;

import org.springframework.stereotype.Component;

/**
 * Tells the store who follows which room live here, for the push decision: who does is
 * not told by push. Sessions that vanish are told too, with the time when they were heard
 * last.
 */
@Component
class Followers implements PresenceWriter {

	private final RoomPresence presence;

	private final LostSessions lostSessions;

	private final Map<Follower, Integer> subscriptions = new ConcurrentHashMap<>();

	private final Set<Follower> changed = ConcurrentHashMap.newKeySet();

	private final Queue<LostSession> lost = new ConcurrentLinkedQueue<>();

	Followers(RoomPresence presence, LostSessions lostSessions) {
		this.presence = presence;
		this.lostSessions = lostSessions;
	}

	/** A session of the user has subscribed to the room. */
	void entered(String room, ChatSession session) {
		Follower follower = new Follower(room, session.user());
		this.subscriptions.merge(follower, 1, Integer::sum);
		this.changed.add(follower);
	}

	/** A subscription that had {@link #entered} has ended. */
	void left(String room, ChatSession session) {
		Follower follower = new Follower(room, session.user());
		this.subscriptions.computeIfPresent(follower, (key, count) -> (count > 1) ? count - 1 : null);
		this.changed.add(follower);
		if (session.lost()) {
			this.lost.add(new LostSession(session.id(), room, session.user(), session.heardAt(), Instant.now()));
		}
	}

	@Override
	public void clear(String node) {
		this.presence.clear(node);
	}

	@Override
	public void write(String node) {
		List<Follower> batch = List.copyOf(this.changed);
		// Removed before it is looked at: a change in between is written next time.
		batch.forEach(this.changed::remove);
		List<LostSession> lost = takeLost();
		try {
			write(node, batch);
			this.lostSessions.add(lost);
		}
		catch (RuntimeException ex) {
			this.changed.addAll(batch);
			this.lost.addAll(lost);
			throw ex;
		}
	}

	private void write(String node, Collection<Follower> batch) {
		List<Follower> entered = new ArrayList<>();
		List<Follower> left = new ArrayList<>();
		batch.forEach((follower) -> (this.subscriptions.containsKey(follower) ? entered : left).add(follower));
		if (!entered.isEmpty()) {
			this.presence.enter(node, entered);
		}
		if (!left.isEmpty()) {
			this.presence.leave(node, left);
		}
	}

	/** Who has another session in the room has missed nothing. */
	private List<LostSession> takeLost() {
		List<LostSession> taken = new ArrayList<>();
		for (LostSession session = this.lost.poll(); session != null; session = this.lost.poll()) {
			if (!this.subscriptions.containsKey(new Follower(session.room(), session.username()))) {
				taken.add(session);
			}
		}
		return taken;
	}

}
