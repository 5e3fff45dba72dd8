package io.parley.server.room;

import java.time.Duration;
import java.util.Optional;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.store.room.MemberRepository;
import io.parley.store.room.Standing;
import org.jspecify.annotations.Nullable;

import org.springframework.stereotype.Component;

/**
 * Caches who is a member of which room, with the role and the mute; {@link RoomAccess}
 * checks it for each SEND and SUBSCRIBE. Joins and leaves in the log and the signals of
 * other changes remove entries on every node. Entries also expire, as a last resort.
 * While the database is unavailable, the last known state stays valid. Safe for use by
 * many threads.
 */
@Component
public class MemberCache {

	/** No room has a longer id. Longer ids from clients are not cached. */
	private static final int MAX_ID_LENGTH = 64;

	private static final int MAX_ENTRIES = 100_000;

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

	private final LastKnownCache<Key, Optional<Standing>> members;

	MemberCache(Database database, MemberRepository members) {
		this.members = new LastKnownCache<>(database, MAX_ENTRIES, (member) -> TIME_TO_LIVE,
				(key) -> members.standingOf(key.room(), key.user()));
	}

	private record Key(String room, String user) {
	}

	/**
	 * Returns what the user is in the room, or null if the user is not a member.
	 * @throws io.parley.server.error.ChatException {@code store-unavailable} if the
	 * database is unavailable and the membership is not known
	 */
	@Nullable Standing standing(String room, String user) {
		return (room.length() <= MAX_ID_LENGTH) ? this.members.get(new Key(room, user)).orElse(null) : null;
	}

	/** Removes the entry, so that the next call queries the database. Does not block. */
	public void forget(String room, String user) {
		this.members.forget(new Key(room, user));
	}

}
