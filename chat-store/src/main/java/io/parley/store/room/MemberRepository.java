package io.parley.store.room;

import java.util.Collection;
import java.util.List;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Stores which users are members of which rooms. */
public interface MemberRepository extends ListCrudRepository<Member, Member.Key> {

	boolean existsByRoomIdAndUsername(String roomId, String username);

	/**
	 * Returns a page of the usernames of the members of a room, in ascending order.
	 * @param after the last username of the previous page, or "" for the first page
	 */
	@Query("SELECT m.username FROM Member m WHERE m.roomId = :room AND m.username > :after ORDER BY m.username")
	List<String> usernamesOf(String room, String after, Limit limit);

	/**
	 * Returns those of the users who are members of a room. All names are sent in one
	 * statement, so pass a limited number of them.
	 */
	@Query("SELECT m.username FROM Member m WHERE m.roomId = :room AND m.username IN :usernames")
	List<String> membersAmong(String room, Collection<String> usernames);

	/** Returns the rooms of a user, ordered by id. */
	@Query("SELECT r FROM Member m JOIN Room r ON r.id = m.roomId WHERE m.username = :username ORDER BY r.id")
	List<Room> roomsOf(String username);

	/**
	 * Removes a member. The caller must also call
	 * {@link RoomRepository#decrementMemberCount}.
	 * @return 1, or 0 if the user was not a member
	 */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM Member m WHERE m.roomId = :room AND m.username = :username")
	int remove(String room, String username);

	/** Removes all members of a room. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("DELETE FROM Member m WHERE m.roomId = :room")
	int removeAll(String room);

}
