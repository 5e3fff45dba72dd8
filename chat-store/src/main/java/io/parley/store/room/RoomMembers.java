package io.parley.store.room;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads the members of many rooms, with one statement for up to 200 rooms. Safe for use
 * by many threads.
 */
public class RoomMembers {

	private static final String COUNTS = "SELECT id, member_count FROM room WHERE id IN ";

	private static final String MEMBERS = "SELECT room_id, username FROM room_member WHERE room_id IN ";

	private final JdbcTemplate jdbc;

	RoomMembers(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns how many members the rooms have. Rooms that do not exist are missing.
	 */
	public Map<String, Integer> counts(Collection<String> rooms) {
		Map<String, Integer> counts = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			this.jdbc.query(COUNTS + Chunks.placeholders(chunk), (row) -> {
				counts.put(row.getString(1), row.getInt(2));
			}, chunk.toArray());
		}
		return counts;
	}

	/**
	 * Returns the usernames of the members of each room, in no particular order. Rooms
	 * without members are missing. All are returned at once, so pass a limited number of
	 * rooms that are not large.
	 */
	public Map<String, List<String>> usernames(Collection<String> rooms) {
		Map<String, List<String>> usernames = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			this.jdbc.query(MEMBERS + Chunks.placeholders(chunk), (row) -> {
				usernames.computeIfAbsent(row.getString(1), (room) -> new ArrayList<>()).add(row.getString(2));
			}, chunk.toArray());
		}
		return usernames;
	}

}
