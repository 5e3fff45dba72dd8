package io.parley.server.room;

import java.time.Duration;

import io.parley.server.database.Database;
import io.parley.server.database.LastKnownCache;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.store.room.MemberRepository;

import org.springframework.stereotype.Component;

/**
 * Who is in which room, asked for each SEND and SUBSCRIBE. Joins and leaves of the log
 * make it forget, on every node; that an answer grows old is only the last resort. While
 * the database is away, what was known before counts on.
 */
@Component
public class MemberCache {

	/**
	 * No room has a longer id. What a client sends may be far longer, and is not kept.
	 */
	private static final int LONGEST_ID = 64;

	private static final int MOST = 100_000;

	private static final Duration FRESH = Duration.ofSeconds(30);

	private final LastKnownCache<Key, Boolean> members;

	MemberCache(Database database, MemberRepository members) {
		this.members = new LastKnownCache<>(database, MOST, (member) -> FRESH,
				(key) -> members.existsByRoomIdAndUsername(key.room(), key.user()));
	}

	private record Key(String room, String user) {
	}

	/**
	 * Whether the user is a member.
	 * @throws ChatException {@code store-unavailable} when nobody knows, because the
	 * database is away
	 */
	public boolean isMember(String room, String user) {
		return room.length() <= LONGEST_ID && this.members.get(new Key(room, user));
	}

	/**
	 * Refuses who is no member, also of a room that does not exist.
	 * @throws ChatException when the user is none, or nobody knows
	 */
	public void require(String room, String user) {
		if (!isMember(room, user)) {
			throw notAMember(room);
		}
	}

	static ChatException notAMember(String room) {
		return ErrorCode.NOT_A_MEMBER.because("You are not a member of room " + room + "; join it first.");
	}

	/** Asks the store the next time. Does not wait for it. */
	public void forget(String room, String user) {
		this.members.forget(new Key(room, user));
	}

}
