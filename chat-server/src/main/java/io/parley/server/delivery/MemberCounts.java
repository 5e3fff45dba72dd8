package io.parley.server.delivery;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.parley.server.database.Database;
import io.parley.server.room.LargeRooms;
import io.parley.server.room.MemberAdded;
import io.parley.server.room.MemberGone;
import io.parley.server.room.MemberRemoved;
import io.parley.store.room.RoomMembers;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Signals to large rooms how many members they have, within a moment after a change, and
 * at most once a second for each room. A second after a signal the count is read once
 * more: an older count from another server may have arrived after that signal.
 */
@Component
class MemberCounts {

	private static final Logger log = LoggerFactory.getLogger(MemberCounts.class);

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	/** Further rooms get no signal: signals may be lost. */
	private static final int MAX_ROOMS = 10_000;

	private final Database database;

	private final RoomMembers stored;

	private final RoomSignals signals;

	/** Rooms whose count has changed, or was signalled less than a second ago. */
	private final Map<String, Waiting> rooms = new ConcurrentHashMap<>();

	MemberCounts(Database database, RoomMembers stored, RoomSignals signals) {
		this.database = database;
		this.stored = stored;
		this.signals = signals;
	}

	/**
	 * A room that waits until its members are counted.
	 *
	 * @param joined whether users have joined without an event since the last signal
	 * @param last null if there was no signal lately
	 */
	private record Waiting(boolean joined, @Nullable Signalled last) {

		boolean isDue(long now) {
			return this.last == null || now - this.last.nanos() >= PAUSE_NANOS;
		}

		/**
		 * Returns whether the room gets a signal. A room that a member has left was
		 * larger by one before.
		 */
		boolean isNews(int members) {
			return this.joined
					|| ((this.last != null) ? members != this.last.members() : LargeRooms.isLarge(members + 1));
		}

	}

	private record Signalled(long nanos, int members) {
	}

	@EventListener
	void added(MemberAdded added) {
		changed(added.room(), true);
	}

	@EventListener
	void gone(MemberGone gone) {
		changed(gone.room(), false);
	}

	@EventListener
	void removed(MemberRemoved removed) {
		changed(removed.room(), false);
	}

	private void changed(String room, boolean joined) {
		if (this.rooms.size() < MAX_ROOMS || this.rooms.containsKey(room)) {
			this.rooms.merge(room, new Waiting(joined, null),
					(known, change) -> new Waiting(known.joined() || joined, known.last()));
		}
	}

	@Scheduled(fixedDelay = 100)
	void signalDue() {
		signalDue(System.nanoTime());
	}

	/**
	 * Signals the counts that are due.
	 * @param now as of {@link System#nanoTime}
	 */
	void signalDue(long now) {
		Map<String, Waiting> due = takeDue(now);
		if (due.isEmpty()) {
			return;
		}
		try {
			Map<String, Integer> counts = this.database.query(() -> this.stored.counts(due.keySet()));
			due.forEach((room, waiting) -> {
				// A room that was deleted has no count.
				Integer members = counts.get(room);
				if (members != null && waiting.isNews(members)) {
					keep(room, new Waiting(false, new Signalled(now, members)));
					signal(room, members);
				}
			});
		}
		catch (RuntimeException ex) {
			log.debug("Failed to count the members of {} rooms; they are counted later", due.size(), ex);
			due.forEach(this::keep);
		}
	}

	/** Takes the rooms before their members are counted: a later change is a new one. */
	private Map<String, Waiting> takeDue(long now) {
		Map<String, Waiting> due = new HashMap<>();
		this.rooms.keySet().forEach((room) -> this.rooms.computeIfPresent(room, (same, waiting) -> {
			if (!waiting.isDue(now)) {
				return waiting;
			}
			due.put(room, waiting);
			return null;
		}));
		return due;
	}

	private void keep(String room, Waiting waiting) {
		this.rooms.merge(room, waiting, (changed, kept) -> new Waiting(changed.joined() || kept.joined(), kept.last()));
	}

	private void signal(String room, int members) {
		try {
			this.signals.memberCount(room, members);
		}
		catch (RuntimeException ex) {
			log.debug("Failed to signal to room {} that it has {} members", room, members, ex);
		}
	}

}
