package io.parley.store.room;

import java.util.Optional;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Stores the rooms. */
public interface RoomRepository extends ListCrudRepository<Room, String> {

	Optional<Room> findByDirectKey(String directKey);

	/**
	 * Increments the member count unless the room is full. The row stays locked until the
	 * transaction ends: call this first, then insert the member.
	 * @return 1, or 0 if the room is full or does not exist
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE Room r SET r.memberCount = r.memberCount + 1
			WHERE r.id = :room AND (r.capacity IS NULL OR r.memberCount < r.capacity)
			""")
	int incrementMemberCount(String room);

	/** Returns whether a room has one member. */
	@Query("SELECT COUNT(*) > 0 FROM Room r WHERE r.id = :room AND r.memberCount = 1")
	boolean hasOneMember(String room);

	/**
	 * Sets the seconds between two messages of a member; 0 switches slow mode off.
	 * @return 1, or 0 if the room does not exist
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Room r SET r.slowMode = :seconds WHERE r.id = :room")
	int setSlowMode(String room, int seconds);

	/** Returns the seconds between two messages of a member, or nothing. */
	@Query("SELECT r.slowMode FROM Room r WHERE r.id = :room")
	Optional<Integer> slowModeOf(String room);

	/** Locks the row of the room, if it exists, until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT id FROM room WHERE id = :room FOR UPDATE")
	Optional<String> lock(String room);

	/**
	 * Decrements the member count.
	 * @return 1, or 0 if the room has no members or does not exist
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Room r SET r.memberCount = r.memberCount - 1 WHERE r.id = :room AND r.memberCount > 0")
	int decrementMemberCount(String room);

}
