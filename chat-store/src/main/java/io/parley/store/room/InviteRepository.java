package io.parley.store.room;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;
import org.springframework.transaction.annotation.Transactional;

/** Stores the invite links of rooms. */
public interface InviteRepository extends Repository<Invite, String> {

	@Transactional
	Invite save(Invite invite);

	Optional<Invite> findBySecretHash(String secretHash);

	/** Returns the links of a room that have not expired, the oldest first. */
	@Query("SELECT i FROM Invite i WHERE i.roomId = :room AND i.expiresAt > :now ORDER BY i.createdAt, i.id")
	List<Invite> of(String room, Instant now);

	/**
	 * Takes one use of a link. The database decides who gets the last one.
	 * @return 1, or 0 if the link has expired, is used up or was revoked, or if who made
	 * it is no moderator any more or has no active account
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE Invite i SET i.uses = i.uses + 1
			WHERE i.id = :id AND i.expiresAt > :now AND (i.maxUses IS NULL OR i.uses < i.maxUses)
			AND EXISTS (SELECT 1 FROM Member m WHERE m.roomId = i.roomId AND m.username = i.createdBy AND m.role IN
				(io.parley.store.room.RoomRole.MODERATOR, io.parley.store.room.RoomRole.OWNER))
			AND EXISTS (SELECT 1 FROM Account a WHERE a.username = i.createdBy
				AND a.state = io.parley.store.account.AccountState.ACTIVE)
			""")
	int take(String id, Instant now);

	/** Gives a use back, because the join was reverted. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Invite i SET i.uses = i.uses - 1 WHERE i.id = :id AND i.uses > 0")
	int giveBack(String id);

	/** Revokes a link of a room, if there is one. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM Invite i WHERE i.roomId = :room AND i.id = :id")
	int revoke(String room, String id);

	/** Deletes the links of a room that have expired. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM Invite i WHERE i.roomId = :room AND i.expiresAt <= :now")
	int removeExpired(String room, Instant now);

}
