package io.parley.store.room;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/**
 * Stores which users were removed from a room by another user. Written only by
 * {@link Memberships}, while it holds the lock of the room.
 */
interface BanRepository extends Repository<Ban, Member.Key> {

	boolean existsByRoomIdAndUsername(String roomId, String username);

	/** Returns those of the users who are banned. */
	@Query("SELECT b.username FROM Ban b WHERE b.roomId = :room AND b.username IN :usernames")
	Set<String> among(String room, Collection<String> usernames);

	@Transactional
	Ban save(Ban ban);

	/** Returns the banned users of a room, ordered by name. */
	@Query("""
			SELECT new io.parley.store.room.BannedUser(b.username, b.bannedBy, b.bannedAt) FROM Ban b
			WHERE b.roomId = :room ORDER BY b.username
			""")
	List<BannedUser> of(String room);

	/** Bans a user. Does nothing if the user is banned already. */
	default void add(String room, String username, String by, Instant now) {
		if (!existsByRoomIdAndUsername(room, username)) {
			save(new Ban(room, username, by, now));
		}
	}

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM Ban b WHERE b.roomId = :room AND b.username = :username")
	void remove(String room, String username);

}
