package io.parley.store.presence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores which users follow which rooms live on which node, for the push decision. There
 * is one row for each user and node, with the ids of all rooms. Each node writes only its
 * own rows. They count while the node {@linkplain NodePresence#renew renews} its lease.
 *
 * <p>
 * Servers of the version before write {@code room_presence}, with one row for each room.
 * During an upgrade these rows count too.
 */
public class RoomPresence {

	/**
	 * Between the ids of a row, and before and after them. Destinations allow no spaces
	 * in ids.
	 */
	private static final String SEPARATOR = " ";

	private static final String INSERT = "INSERT INTO followed_rooms (rooms, username, node) VALUES (?, ?, ?)";

	private static final String DELETE = """
			DELETE /*+ INDEX(followed_rooms PRIMARY) */ FROM followed_rooms WHERE (username, node) IN\s""";

	private static final String CLEAR = """
			DELETE /*+ INDEX(followed_rooms followed_rooms_node) */ FROM followed_rooms WHERE node = ? LIMIT ?""";

	/**
	 * Many rows are removed in several transactions, because a long one blocks others.
	 */
	private static final int DELETED_ROWS = 1_000;

	private static final String LIVE = """
			SELECT p.room_id, p.username, MAX(l.renewed_at) FROM (
				SELECT m.room_id, m.username, f.node FROM room_member m JOIN followed_rooms f ON f.username = m.username
				WHERE LOCATE(CONCAT(' ', m.room_id, ' '), f.rooms) > 0 AND %1$s
				UNION ALL SELECT m.room_id, m.username, m.node FROM room_presence m WHERE %1$s
			) p JOIN node_lease l ON l.node = p.node
			WHERE l.expires_at > ? AND l.renewed_at IS NOT NULL
			GROUP BY p.room_id, p.username""";

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	RoomPresence(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/** A user who follows a room. */
	public record Follower(String room, String username) {
	}

	/**
	 * Stores which rooms these users follow on the node, instead of those stored before.
	 */
	public void store(String node, Map<String, Set<String>> roomsOfUsers) {
		for (List<String> users : Chunks.of(roomsOfUsers.keySet())) {
			List<Object[]> rows = new ArrayList<>();
			for (String user : users) {
				Set<String> rooms = roomsOfUsers.getOrDefault(user, Set.of());
				if (!rooms.isEmpty()) {
					rows.add(new Object[] { SEPARATOR + String.join(SEPARATOR, rooms) + SEPARATOR, user, node });
				}
			}
			this.transaction.executeWithoutResult((status) -> {
				this.jdbc.update(DELETE + Chunks.pairs(users),
						users.stream().flatMap((user) -> Stream.of(user, node)).toArray());
				this.jdbc.batchUpdate(INSERT, rows);
			});
		}
	}

	/**
	 * Removes at most 1,000 rows of the node.
	 * @return whether there may be more
	 */
	public boolean clearSome(String node) {
		return deleteSome(CLEAR, node) || deleteSome("DELETE FROM room_presence WHERE node = ? LIMIT ?", node);
	}

	private boolean deleteSome(String statement, String node) {
		return this.jdbc.update(statement, node, DELETED_ROWS) == DELETED_ROWS;
	}

	/**
	 * Returns which of the users are members of the room and follow it on a live node,
	 * and up to when this is certain: messages delivered before that time have reached
	 * them.
	 */
	public Map<String, Instant> followersAmong(String room, Collection<String> usernames, Instant now) {
		Map<String, Instant> followers = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> values = new ArrayList<>(List.of(room));
			values.addAll(chunk);
			followers
				.putAll(usernames(live("m.room_id = ? AND m.username IN " + Chunks.placeholders(chunk), values, now)));
		}
		return followers;
	}

	/**
	 * Does the same for all users from one name to another, both inclusive, in the
	 * database's order of names.
	 */
	public Map<String, Instant> followersBetween(String room, String first, String last, Instant now) {
		return usernames(live("m.room_id = ? AND m.username BETWEEN ? AND ?", List.of(room, first, last), now));
	}

	/** Does the same for all members of the rooms. */
	public Map<Follower, Instant> followersOf(Collection<String> rooms, Instant now) {
		Map<Follower, Instant> followers = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			followers.putAll(live("m.room_id IN " + Chunks.placeholders(chunk), List.copyOf(chunk), now));
		}
		return followers;
	}

	private Map<Follower, Instant> live(String condition, List<Object> values, Instant now) {
		List<Object> arguments = new ArrayList<>(values);
		arguments.addAll(values);
		arguments.add(UtcTime.of(now));
		Map<Follower, Instant> followers = new HashMap<>();
		this.jdbc.query(LIVE.formatted(condition), (row) -> {
			followers.put(new Follower(row.getString(1), row.getString(2)),
					row.getObject(3, LocalDateTime.class).toInstant(ZoneOffset.UTC));
		}, arguments.toArray());
		return followers;
	}

	private static Map<String, Instant> usernames(Map<Follower, Instant> followersOfOneRoom) {
		Map<String, Instant> usernames = new HashMap<>();
		followersOfOneRoom.forEach((follower, liveUntil) -> usernames.put(follower.username(), liveUntil));
		return usernames;
	}

}
