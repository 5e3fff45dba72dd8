package io.parley.server.room;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ChatException;
import io.parley.store.room.RoomRepository;

import org.springframework.stereotype.Component;

/**
 * Knows the slow mode of rooms. It comes with each cached membership, so that it costs no
 * query. For a minute after a change, memberships may be older than the change, and the
 * room is looked up instead. Safe for use by many threads.
 */
@Component
public class SlowModes {

	private static final int MAX_ROOMS = 10_000;

	/** Longer than a membership is cached, and a query for it may take. */
	private static final Duration RECENTLY = Duration.ofSeconds(60);

	private final Cache<String, Boolean> changed = Caffeine.newBuilder()
		.maximumSize(MAX_ROOMS)
		.expireAfterWrite(RECENTLY)
		.build();

	private final LastKnownCache<String, Integer> looked;

	SlowModes(Database database, RoomRepository rooms) {
		this.looked = new LastKnownCache<>(database, MAX_ROOMS, (seconds) -> RECENTLY,
				(room) -> rooms.slowModeOf(room).orElse(0));
	}

	/**
	 * Returns the seconds between two messages of a member.
	 * @param known what came with the membership
	 */
	int of(String room, int known) {
		if (this.changed.getIfPresent(room) == null) {
			return known;
		}
		try {
			return this.looked.get(room);
		}
		catch (ChatException ex) {
			return known;
		}
	}

	/** Records that the slow mode of a room has changed. Does not block. */
	public void forget(String room) {
		this.looked.forget(room);
		this.changed.put(room, true);
	}

}
