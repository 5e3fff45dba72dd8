package io.parley.store.room;

import java.util.List;
import java.util.Optional;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.NativeQuery;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Stores the rooms. */
public interface RoomRepository extends ListCrudRepository<Room, String> {

	@Override
	@Transactional
	<S extends Room> S save(S entity);

	@Override
	@Transactional
	void deleteById(String id);

	Optional<Room> findByDirectKey(String directKey);

	/**
	 * Returns rooms in the order of their ids. Reads the names of all rooms when few of
	 * them match.
	 * @param pattern a pattern of LIKE in lower case for the name, with {@code !} as
	 * escape character
	 * @param after the rooms follow this id
	 */
	@Query("""
			SELECT r FROM Room r WHERE r.id > :after AND LOWER(r.name) LIKE :pattern ESCAPE '!' ORDER BY r.id
			""")
	List<Room> page(String pattern, String after, Limit limit);

	/** Does the same for the rooms of one member. */
	@Query("""
			SELECT r FROM Member m JOIN Room r ON r.id = m.roomId
			WHERE m.username = :member AND r.id > :after AND LOWER(r.name) LIKE :pattern ESCAPE '!' ORDER BY r.id
			""")
	List<Room> pageOf(String member, String pattern, String after, Limit limit);

	/** Locks the row of the room, if it exists, until the transaction ends. */
	@Transactional
	@NativeQuery("SELECT member_count AS members, capacity FROM room WHERE id = :room FOR UPDATE")
	Optional<Places> lockPlaces(String room);

	/**
	 * Adds to the member count. The caller holds the lock of the room and saves as many
	 * members.
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Room r SET r.memberCount = r.memberCount + :members WHERE r.id = :room")
	void addToMemberCount(String room, int members);

	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("""
			UPDATE Room r SET r.name = :name, r.topic = :topic, r.slowMode = :slowMode, r.memberPins = :memberPins
			WHERE r.id = :room
			""")
	int change(String room, String name, String topic, int slowMode, boolean memberPins);

	/**
	 * Replaces the settings. The caller holds the lock of the room.
	 * @return 1, or 0 if the room does not exist
	 */
	default int change(String room, RoomSettings settings) {
		return change(room, settings.name(), settings.topic(), settings.slowMode(), settings.memberPins());
	}

	/** Returns the settings of a room, or nothing if it does not exist. */
	@Query("""
			SELECT new io.parley.store.room.RoomSettings(r.name, r.topic, r.slowMode, r.memberPins) FROM Room r
			WHERE r.id = :room
			""")
	Optional<RoomSettings> settingsOf(String room);

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
