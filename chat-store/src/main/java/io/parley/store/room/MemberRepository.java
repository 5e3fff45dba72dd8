package io.parley.store.room;

import java.util.Collection;
import java.util.List;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Who is in which room. */
public interface MemberRepository extends ListCrudRepository<Member, Member.Key> {

	boolean existsByRoomIdAndUsername(String roomId, String username);

	/**
	 * A page of the members of a room, ordered by username.
	 * @param after the last username of the page before, or "" for the first page
	 */
	@Query("SELECT m.username FROM Member m WHERE m.roomId = :room AND m.username > :after ORDER BY m.username")
	List<String> usernamesOf(String room, String after, Limit limit);

	/** Those of the users who are members of a room; not too many at once. */
	@Query("SELECT m.username FROM Member m WHERE m.roomId = :room AND m.username IN :usernames")
	List<String> membersAmong(String room, Collection<String> usernames);

	/** The rooms that a user is in, ordered by id. */
	@Query("SELECT r FROM Member m JOIN Room r ON r.id = m.roomId WHERE m.username = :username ORDER BY r.id")
	List<Room> roomsOf(String username);

	/**
	 * Removes a member; the place is freed by {@link RoomRepository#freePlace}.
	 * @return 1, or 0 when the user was no member
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
