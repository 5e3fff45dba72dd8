package io.parley.server.room;

import java.time.Duration;
import java.util.Optional;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ChatException;
import io.parley.store.room.RoomRepository;
import io.parley.store.room.Standing;

import org.springframework.stereotype.Component;

/**
 * Knows the settings of rooms that decide what members may do. They come with each cached
 * membership, so that they cost no query. For a minute after a change, memberships may be
 * older than the change, and the room is looked up instead. Safe for use by many threads.
 */
@Component
public class RoomSettingsCache {

	private static final int MAX_ROOMS = 10_000;

	/** Longer than a membership is cached, and a query for it may take. */
	private static final Duration RECENTLY = Duration.ofSeconds(60);

	private final Cache<String, Boolean> changed = Caffeine.newBuilder()
		.maximumSize(MAX_ROOMS)
		.expireAfterWrite(RECENTLY)
		.build();

	private final LastKnownCache<String, Optional<ForMembers>> looked;

	RoomSettingsCache(Database database, RoomRepository rooms) {
		this.looked = new LastKnownCache<>(database, MAX_ROOMS, (settings) -> RECENTLY, (room) -> rooms.findById(room)
			.map((found) -> new ForMembers(found.getSlowMode(), found.isMemberPins())));
	}

	/**
	 * The settings that decide about members.
	 *
	 * @param slowMode the seconds between two messages of a member; 0 for none
	 * @param memberPins whether members may pin messages
	 */
	record ForMembers(int slowMode, boolean memberPins) {
	}

	/**
	 * Returns the settings of a room.
	 * @param member has those that came with the membership
	 */
	ForMembers of(String room, Standing member) {
		ForMembers known = new ForMembers(member.slowMode(), member.memberPins());
		if (this.changed.getIfPresent(room) == null) {
			return known;
		}
		try {
			return this.looked.get(room).orElse(known);
		}
		catch (ChatException ex) {
			return known;
		}
	}

	/** Records that the settings of a room have changed. Does not block. */
	public void forget(String room) {
		this.looked.forget(room);
		this.changed.put(room, true);
	}

}
