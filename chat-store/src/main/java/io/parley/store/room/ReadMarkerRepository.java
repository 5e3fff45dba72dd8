package io.parley.store.room;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;
import io.parley.store.Upserts;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Stores how far each member has read, and up to where messages have been delivered to
 * each of them. A marker never moves backwards.
 */
public class ReadMarkerRepository {

	private static final String ADVANCE = """
			UPDATE read_marker SET position = GREATEST(position, ?) WHERE room_id = ? AND username = ?""";

	private static final String INSERT = "INSERT INTO read_marker (position, room_id, username) VALUES (?, ?, ?)";

	private static final String SELECT = """
			SELECT room_id, username, position FROM read_marker WHERE room_id = ? AND username = ?""";

	private static final String ADVANCE_DELIVERED = """
			UPDATE read_marker SET delivered = GREATEST(delivered, ?) WHERE room_id = ? AND username = ?""";

	private static final String INSERT_DELIVERED = """
			INSERT INTO read_marker (delivered, position, room_id, username) VALUES (?, 0, ?, ?)""";

	private static final String SELECT_DELIVERED = """
			SELECT room_id, username, GREATEST(position, delivered) FROM read_marker
			WHERE room_id = ? AND username = ?""";

	private final JdbcTemplate jdbc;

	private final Upserts upserts;

	ReadMarkerRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.upserts = new Upserts(transactionManager);
	}

	/**
	 * Advances read markers in one batch and in a separate transaction. Markers that are
	 * further ahead already stay as they are.
	 */
	public void advance(Collection<ReadMarker> markers) {
		advance(markers, ADVANCE, INSERT);
	}

	/** Does the same for up to where messages have been delivered. */
	public void advanceDelivered(Collection<ReadMarker> markers) {
		advance(markers, ADVANCE_DELIVERED, INSERT_DELIVERED);
	}

	private void advance(Collection<ReadMarker> markers, String update, String insert) {
		List<ReadMarker> furthest = furthest(markers);
		if (!furthest.isEmpty()) {
			this.upserts.run(() -> write(furthest, update, insert));
		}
	}

	/**
	 * Returns one marker for each room and user. The order is the same on every node,
	 * which makes deadlocks rare.
	 */
	private static List<ReadMarker> furthest(Collection<ReadMarker> markers) {
		Map<Member.Key, ReadMarker> furthest = new HashMap<>();
		for (ReadMarker marker : markers) {
			furthest.merge(new Member.Key(marker.room(), marker.username()), marker,
					(one, other) -> (one.position() >= other.position()) ? one : other);
		}
		return furthest.values()
			.stream()
			.sorted(Comparator.comparing(ReadMarker::room).thenComparing(ReadMarker::username))
			.toList();
	}

	private void write(List<ReadMarker> markers, String update, String insert) {
		int[] updated = this.jdbc.batchUpdate(update, arguments(markers));
		List<ReadMarker> absent = new ArrayList<>();
		for (int i = 0; i < updated.length; i++) {
			if (updated[i] == 0) {
				absent.add(markers.get(i));
			}
		}
		if (!absent.isEmpty()) {
			this.jdbc.batchUpdate(insert, arguments(absent));
		}
	}

	private static List<Object[]> arguments(List<ReadMarker> markers) {
		return markers.stream()
			.map((marker) -> new Object[] { marker.position(), marker.room(), marker.username() })
			.toList();
	}

	/** Returns the markers of these users of a room. Users who have none are missing. */
	public Map<String, MemberMarkers> markersIn(String room, Collection<String> usernames) {
		Map<String, MemberMarkers> markers = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(room);
			this.jdbc.query("SELECT username, position, delivered FROM read_marker WHERE room_id = ? AND username IN "
					+ Chunks.placeholders(chunk), (row) -> {
						markers.put(row.getString(1), new MemberMarkers(row.getLong(2), row.getLong(3)));
					}, arguments.toArray());
		}
		return markers;
	}

	/**
	 * Returns the members of a room who have read up to a position, by name. Reads the
	 * members and the markers of the room in the order of their keys, so that markers
	 * need no further index.
	 * @param others users who have also read so far, if they are members
	 */
	public Readers readers(String room, long position, Collection<String> others, int limit) {
		List<Object> arguments = new ArrayList<>(List.of(room, position));
		arguments.addAll(others);
		arguments.add(limit);
		String orOthers = others.isEmpty() ? "" : " OR m.username IN " + Chunks.placeholders(List.copyOf(others));
		List<String> names = new ArrayList<>();
		long[] count = { 0 };
		this.jdbc.query("""
				SELECT m.username, COUNT(*) OVER () FROM room_member m
				LEFT JOIN read_marker r ON r.room_id = m.room_id AND r.username = m.username
				WHERE m.room_id = ? AND (r.position >= ?""" + orOthers + ") ORDER BY m.username LIMIT ?", (row) -> {
			names.add(row.getString(1));
			count[0] = row.getLong(2);
		}, arguments.toArray());
		return new Readers(names, count[0]);
	}

	/**
	 * Returns the stored positions of these users of rooms, whatever the positions of the
	 * given markers are. Users who have read nothing are missing.
	 */
	public List<ReadMarker> stored(Collection<ReadMarker> markers) {
		return stored(markers, SELECT);
	}

	/**
	 * Does the same for up to where messages have been delivered. What is read has been
	 * delivered.
	 */
	public List<ReadMarker> storedDelivered(Collection<ReadMarker> markers) {
		return stored(markers, SELECT_DELIVERED);
	}

	private List<ReadMarker> stored(Collection<ReadMarker> markers, String select) {
		return Chunks.query(markers,
				(chunk) -> this.jdbc.query(Chunks.union(select, chunk.size()),
						(row, index) -> new ReadMarker(row.getString(1), row.getString(2), row.getLong(3)),
						chunk.stream()
							.<Object>mapMulti((marker, sink) -> List.of(marker.room(), marker.username()).forEach(sink))
							.toArray()));
	}

	/** Returns the positions up to which the user has read rooms, by room. */
	public Map<String, Long> positions(String username) {
		Map<String, Long> positions = new HashMap<>();
		this.jdbc.query("SELECT room_id, position FROM read_marker WHERE username = ?", (row) -> {
			positions.put(row.getString(1), row.getLong(2));
		}, username);
		return positions;
	}

}
