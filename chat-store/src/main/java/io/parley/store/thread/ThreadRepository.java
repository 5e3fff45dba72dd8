package io.parley.store.thread;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.event.RoomPosition;

import org.springframework.jdbc.core.JdbcTemplate;

/** Reads the stored threads. Users who are no members of the room are left out. */
public class ThreadRepository {

	private static final String PARTICIPANTS = """
			SELECT t.room_id, t.root, t.username, t.position, 0, NULL, 0 FROM thread_participant t
			JOIN room_member m ON m.room_id = t.room_id AND m.username = t.username WHERE\s""";

	private static final String MEMBERS = """
			SELECT t.room_id, t.root, t.username, 0, t.read_position, t.follows, t.since FROM thread_member t
			JOIN room_member m ON m.room_id = t.room_id AND m.username = t.username WHERE\s""";

	private static final String FOLLOWED = """
			SELECT k.room_id, k.root FROM (
				SELECT p.room_id, p.root FROM thread_participant p LEFT JOIN thread_member t
				ON t.room_id = p.room_id AND t.root = p.root AND t.username = p.username
				WHERE p.username = ? AND (t.follows IS NULL OR t.follows OR t.since < p.position)
				UNION SELECT room_id, root FROM thread_member WHERE username = ? AND follows) k
			JOIN room_member m ON m.room_id = k.room_id AND m.username = ?
			JOIN message_state s ON s.room_id = k.room_id AND s.target = k.root
			JOIN room_event e ON e.room_id = s.room_id AND e.position = s.last_reply
			ORDER BY e.sent_at DESC, k.room_id, k.root LIMIT ?""";

	private static final String FOLLOWED_IN_ROOM = FOLLOWED.replace("ORDER BY", "WHERE k.room_id = ? ORDER BY");

	private static final String NUMBER_AT = """
			SELECT CAST(? AS DECIMAL), number FROM thread_reply WHERE room_id = ? AND root = ? AND position <= ?
			ORDER BY room_id DESC, root DESC, position DESC LIMIT 1""";

	/** Reads the replies only, not the states of all messages of the room. */
	static final String DELETED_AFTER = """
			SELECT CAST(? AS DECIMAL), COUNT(*) FROM thread_reply r
			JOIN message_state s ON s.room_id = r.room_id AND s.target = r.position
			WHERE r.room_id = ? AND r.root = ? AND r.position > ? AND s.deleted AND s.edited <= ?""";

	private final JdbcTemplate jdbc;

	ThreadRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * A position in a thread.
	 *
	 * @param root the root of the thread
	 */
	public record Place(RoomPosition root, long position) {
	}

	/**
	 * Returns those who take part in threads, have read them, or have chosen to follow
	 * them or not, by thread and name.
	 */
	public Map<RoomPosition, Map<String, ThreadStanding>> standingsIn(Collection<RoomPosition> roots) {
		Map<RoomPosition, Map<String, ThreadStanding>> standings = new HashMap<>();
		for (List<RoomPosition> chunk : Chunks.of(roots)) {
			query("(t.room_id, t.root) IN " + Chunks.pairs(chunk),
					chunk.stream()
						.<Object>mapMulti((root, sink) -> List.of(root.room(), root.position()).forEach(sink)))
				.forEach((key, standing) -> standings.computeIfAbsent(key.root(), (root) -> new HashMap<>())
					.put(key.username(), standing));
		}
		return standings;
	}

	/** Returns the standings of these users. Those who have none are missing. */
	public Map<ThreadKey, ThreadStanding> of(Collection<ThreadKey> keys) {
		Map<ThreadKey, ThreadStanding> standings = new HashMap<>();
		for (List<ThreadKey> chunk : Chunks.of(keys)) {
			standings.putAll(query("(t.room_id, t.root, t.username) IN " + Chunks.triples(chunk), chunk.stream()
				.<Object>mapMulti((key, sink) -> List.of(key.root().room(), key.root().position(), key.username())
					.forEach(sink))));
		}
		return standings;
	}

	private Map<ThreadKey, ThreadStanding> query(String condition, Stream<Object> arguments) {
		List<Object> once = arguments.toList();
		Map<ThreadKey, ThreadStanding> standings = new HashMap<>();
		this.jdbc.query(PARTICIPANTS + condition + " UNION ALL " + MEMBERS + condition, (row) -> {
			standings.merge(new ThreadKey(new RoomPosition(row.getString(1), row.getLong(2)), row.getString(3)),
					standing(row), ThreadStanding::and);
		}, Stream.concat(once.stream(), once.stream()).toArray());
		return standings;
	}

	private static ThreadStanding standing(ResultSet row) throws SQLException {
		boolean follows = row.getBoolean(6);
		return new ThreadStanding(row.getLong(4), row.getLong(5), row.wasNull() ? null : follows, row.getLong(7));
	}

	/**
	 * Returns the roots of the threads with replies that a user follows, those with the
	 * newest replies first.
	 */
	public List<RoomPosition> followedBy(String username, int limit) {
		return roots(FOLLOWED, username, username, username, limit);
	}

	/** Returns those of the threads of {@link #followedBy} that are in a room. */
	public List<RoomPosition> followedIn(String room, String username, int limit) {
		return roots(FOLLOWED_IN_ROOM, username, username, username, room, limit);
	}

	private List<RoomPosition> roots(String sql, Object... arguments) {
		return this.jdbc.query(sql, (row, index) -> new RoomPosition(row.getString(1), row.getLong(2)), arguments);
	}

	/** Returns the number of replies up to each position; deleted ones are counted. */
	public Map<Place, Long> numbersAt(Collection<Place> places) {
		Map<Place, Long> numbers = new HashMap<>();
		for (List<Place> chunk : Chunks.of(places)) {
			List<Object> arguments = new ArrayList<>();
			for (int i = 0; i < chunk.size(); i++) {
				Place place = chunk.get(i);
				arguments.addAll(List.of(i, place.root().room(), place.root().position(), place.position()));
			}
			this.jdbc.query(Chunks.union(NUMBER_AT, chunk.size()), (row) -> {
				numbers.put(chunk.get(row.getInt(1)), row.getLong(2));
			}, arguments.toArray());
		}
		return numbers;
	}

	/**
	 * Returns the number of replies after each position that are deleted.
	 * @param places up to where deletions count, by place
	 */
	public Map<Place, Long> deletedAfter(Map<Place, Long> places) {
		Map<Place, Long> counts = new HashMap<>();
		for (List<Place> chunk : Chunks.of(places.keySet())) {
			List<Object> arguments = new ArrayList<>();
			for (int i = 0; i < chunk.size(); i++) {
				Place place = chunk.get(i);
				arguments.addAll(List.of(i, place.root().room(), place.root().position(), place.position(),
						places.getOrDefault(place, 0L)));
			}
			this.jdbc.query(Chunks.union(DELETED_AFTER, chunk.size()), (row) -> {
				counts.put(chunk.get(row.getInt(1)), row.getLong(2));
			}, arguments.toArray());
		}
		return counts;
	}

	/**
	 * Returns the positions of the first replies after a position, in ascending order.
	 */
	public List<Long> after(RoomPosition root, long position, int limit) {
		return positions("""
				SELECT position FROM thread_reply WHERE room_id = ? AND root = ? AND position > ?
				ORDER BY room_id, root, position LIMIT ?""", root, position, limit);
	}

	/**
	 * Returns the positions of the last replies before a position, in ascending order.
	 */
	public List<Long> before(RoomPosition root, long position, int limit) {
		return positions("""
				SELECT position FROM thread_reply WHERE room_id = ? AND root = ? AND position < ?
				ORDER BY room_id DESC, root DESC, position DESC LIMIT ?""", root, position, limit).reversed();
	}

	private List<Long> positions(String sql, RoomPosition root, long position, int limit) {
		return this.jdbc.query(sql, (row, index) -> row.getLong(1), root.room(), root.position(), position, limit);
	}

}
