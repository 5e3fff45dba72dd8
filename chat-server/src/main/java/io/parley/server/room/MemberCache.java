package io.parley.server.room;

import java.time.Duration;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.store.room.MemberRepository;

import org.springframework.stereotype.Component;

/**
 * Caches who is a member of which room; checked for each SEND and SUBSCRIBE. Joins and
 * leaves in the log remove entries on every node. Entries also expire, as a last resort.
 * While the database is unavailable, the last known state stays valid. Safe for use by
 * many threads.
 */
@Component
public class MemberCache {

	/** No room has a longer id. Longer ids from clients are not cached. */
	private static final int MAX_ID_LENGTH = 64;

	private static final int MAX_ENTRIES = 100_000;

	private static final Duration TIME_TO_LIVE = Duration.ofSeconds(30);

	private final LastKnownCache<Key, Boolean> members;

	MemberCache(Database database, MemberRepository members) {
		this.members = new LastKnownCache<>(database, MAX_ENTRIES, (member) -> TIME_TO_LIVE,
				(key) -> members.existsByRoomIdAndUsername(key.room(), key.user()));
	}

	private record Key(String room, String user) {
	}

	/**
	 * Returns whether the user is a member.
	 * @throws ChatException {@code store-unavailable} if the database is unavailable and
	 * the membership is not known
	 */
	public boolean isMember(String room, String user) {
		return room.length() <= MAX_ID_LENGTH && this.members.get(new Key(room, user));
	}

	/**
	 * Requires that the user is a member. A room that does not exist has no members.
	 * @throws ChatException {@code not-a-member} if the user is not a member,
	 * {@code store-unavailable} if that is not known
	 */
	public void require(String room, String user) {
		if (!isMember(room, user)) {
			throw notAMember(room);
		}
	}

	static ChatException notAMember(String room) {
		return ErrorCode.NOT_A_MEMBER.because("You are not a member of room " + room + "; join it first.");
	}

	/** Removes the entry, so that the next call queries the database. Does not block. */
	public void forget(String room, String user) {
		this.members.forget(new Key(room, user));
	}

}
