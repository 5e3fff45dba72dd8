package io.parley.server.room;

import java.time.Duration;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.parley.server.refusal.Refusal;
import io.parley.server.refusal.RefusedException;
import io.parley.store.room.MemberRepository;

import org.springframework.stereotype.Component;

/**
 * Who is in which room, asked for each SEND and SUBSCRIBE. Joins and leaves of the log
 * make it forget, on every node; the expiry is only the last resort.
 */
@Component
public class MemberCache {

	/**
	 * No room has a longer id. What a client sends may be far longer, and is not kept.
	 */
	private static final int LONGEST_ID = 64;

	private final LoadingCache<Key, Boolean> members;

	MemberCache(MemberRepository members) {
		this.members = Caffeine.newBuilder()
			.maximumSize(100_000)
			.expireAfterWrite(Duration.ofSeconds(30))
			.build((key) -> members.existsByRoomIdAndUsername(key.room(), key.user()));
	}

	private record Key(String room, String user) {
	}

	public boolean isMember(String room, String user) {
		return room.length() <= LONGEST_ID && this.members.get(new Key(room, user));
	}

	/**
	 * Refuses who is no member, also of a room that does not exist.
	 * @throws io.parley.server.refusal.RefusedException when the user is none
	 */
	public void require(String room, String user) {
		if (!isMember(room, user)) {
			throw notAMember(room);
		}
	}

	static RefusedException notAMember(String room) {
		return Refusal.NOT_A_MEMBER.because("You are not a member of room " + room + "; join it first.");
	}

	/** Asks the store the next time. */
	public void forget(String room, String user) {
		this.members.invalidate(new Key(room, user));
	}

}
