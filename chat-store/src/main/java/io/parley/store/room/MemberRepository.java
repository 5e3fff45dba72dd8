package io.parley.store.room;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.ListCrudRepository;
import org.springframework.transaction.annotation.Transactional;

/** Stores which users are members of which rooms. */
public interface MemberRepository extends ListCrudRepository<Member, Member.Key> {

	@Override
	@Transactional
	<S extends Member> S save(S entity);

	@Override
	@Transactional
	<S extends Member> List<S> saveAll(Iterable<S> entities);

	boolean existsByRoomIdAndUsername(String roomId, String username);

	boolean existsByRoomIdAndRole(String roomId, RoomRole role);

	@Query("SELECT m.role FROM Member m WHERE m.roomId = :room AND m.username = :username")
	Optional<RoomRole> roleOf(String room, String username);

	/** Returns what a user is in a room, or nothing if the user is not a member. */
	@Query("""
			SELECT new io.parley.store.room.Standing(m.username, m.role, r.mutedUntil, COALESCE(o.slowMode, 0),
				CASE WHEN o.memberPins = TRUE OR o.kind = io.parley.store.room.RoomKind.DIRECT THEN TRUE ELSE FALSE END)
			FROM Member m LEFT JOIN Restriction r ON r.roomId = m.roomId AND r.username = m.username
				LEFT JOIN Room o ON o.id = m.roomId
			WHERE m.roomId = :room AND m.username = :username
			""")
	Optional<Standing> standingOf(String room, String username);

	/** Returns what a user is in their rooms, ordered by the id of the room. */
	@Query("""
			SELECT new io.parley.store.room.RoomStanding(m.roomId, m.username, m.role, r.mutedUntil,
				COALESCE(o.slowMode, 0),
				CASE WHEN o.memberPins = TRUE OR o.kind = io.parley.store.room.RoomKind.DIRECT THEN TRUE ELSE FALSE END)
			FROM Member m LEFT JOIN Restriction r ON r.roomId = m.roomId AND r.username = m.username
				LEFT JOIN Room o ON o.id = m.roomId
			WHERE m.username = :username ORDER BY m.roomId
			""")
	List<RoomStanding> standingsOf(String username, Limit limit);

	/**
	 * Returns a page of the members of a room with their roles, in ascending order of the
	 * usernames.
	 * @param after the last username of the previous page, or "" for the first page
	 */
	@Query("""
			SELECT new io.parley.store.room.Standing(m.username, m.role, r.mutedUntil, COALESCE(o.slowMode, 0),
				CASE WHEN o.memberPins = TRUE OR o.kind = io.parley.store.room.RoomKind.DIRECT THEN TRUE ELSE FALSE END)
			FROM Member m LEFT JOIN Restriction r ON r.roomId = m.roomId AND r.username = m.username
				LEFT JOIN Room o ON o.id = m.roomId
			WHERE m.roomId = :room AND m.username > :after ORDER BY m.username
			""")
	List<Standing> standingsOf(String room, String after, Limit limit);

	/**
	 * Returns the members of a room in the order in which they become its owner. Users
	 * whose account is disabled come last.
	 * @param preferred comes before all others
	 * @param except is left out
	 */
	@Query("""
			SELECT m FROM Member m LEFT JOIN Account a ON a.username = m.username
			WHERE m.roomId = :room AND m.username <> :except
			ORDER BY CASE WHEN a.state = io.parley.store.account.AccountState.DISABLED THEN 4
				WHEN m.username = :preferred THEN 0
				WHEN m.role = io.parley.store.room.RoomRole.MODERATOR THEN 1
				WHEN m.role = io.parley.store.room.RoomRole.MEMBER THEN 2 ELSE 3 END, m.joinedAt, m.username
			""")
	List<Member> successors(String room, String preferred, String except, Limit limit);

	/** Returns the rooms that a user owns. */
	@Query("SELECT m.roomId FROM Member m WHERE m.username = :username AND m.role = io.parley.store.room.RoomRole.OWNER")
	List<String> ownedBy(String username);

	/** Gives a member another role. The caller holds the lock of the room. */
	@Transactional
	@Modifying(flushAutomatically = true, clearAutomatically = true)
	@Query("UPDATE Member m SET m.role = :role WHERE m.roomId = :room AND m.username = :username")
	int setRole(String room, String username, RoomRole role);

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

	/** Returns the members of a room who have one of these roles, by name. */
	@Query("SELECT m.username FROM Member m WHERE m.roomId = :room AND m.role IN :roles ORDER BY m.username")
	List<String> usernamesWith(String room, Collection<RoomRole> roles, Limit limit);

	/** Returns the ids of the rooms of a user, ordered. */
	@Query("SELECT m.roomId FROM Member m WHERE m.username = :username ORDER BY m.roomId")
	List<String> roomIdsOf(String username);

	/** Returns the rooms of a user with the user's roles, ordered by id. */
	@Query("""
			SELECT new io.parley.store.room.JoinedRoom(r, m.role) FROM Member m JOIN Room r ON r.id = m.roomId
			WHERE m.username = :username ORDER BY r.id
			""")
	List<JoinedRoom> joinedBy(String username);

	/** Returns the rooms of a user, ordered by id. */
	@Query("SELECT r FROM Member m JOIN Room r ON r.id = m.roomId WHERE m.username = :username ORDER BY r.id")
	List<Room> roomsOf(String username);

	/**
	 * Returns the ids of the rooms of a user that have at most that many members, without
	 * direct rooms in which one of the two users has blocked the other. Ordered by id.
	 */
	@Query("""
			SELECT r.id FROM Member m JOIN Room r ON r.id = m.roomId
			WHERE m.username = :username AND r.memberCount <= :maxMembers AND (r.directKey IS NULL OR (
				NOT EXISTS (SELECT 1 FROM Member p JOIN UserBlock b ON b.username = p.username AND b.blocked = :username
					WHERE p.roomId = r.id)
				AND NOT EXISTS (SELECT 1 FROM Member p JOIN UserBlock b ON b.username = :username AND b.blocked = p.username
					WHERE p.roomId = r.id)))
			ORDER BY r.id
			""")
	List<String> unblockedRoomsOf(String username, int maxMembers);

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
