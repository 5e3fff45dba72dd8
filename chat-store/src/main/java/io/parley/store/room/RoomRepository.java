package io.parley.store.room;

import java.util.Optional;

import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** The rooms. */
public interface RoomRepository extends ListCrudRepository<Room, String> {

	Optional<Room> findByDirectKey(String directKey);

	/**
	 * Counts one more member if there is a place. The row stays locked until the
	 * transaction ends: call it first, insert the member after it.
	 * @return 1, or 0 when the room is full or absent
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE Room r SET r.memberCount = r.memberCount + 1
			WHERE r.id = :room AND (r.capacity IS NULL OR r.memberCount < r.capacity)
			""")
	int takePlace(String room);

	/** Locks the room's row, if there is one, until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT id FROM room WHERE id = :room FOR UPDATE")
	Optional<String> lock(String room);

	/**
	 * Counts one member less.
	 * @return 1, or 0 when the room is empty or absent
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Room r SET r.memberCount = r.memberCount - 1 WHERE r.id = :room AND r.memberCount > 0")
	int freePlace(String room);

}
