package io.parley.store.room;

import java.time.Instant;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores which users were removed from a room by another user. Written only by
 * {@link Memberships}, while it holds the lock of the room.
 */
class BanRepository {

	private final JdbcTemplate jdbc;

	BanRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	boolean contains(String room, String username) {
		return !this.jdbc
			.queryForList("SELECT 1 FROM room_ban WHERE room_id = ? AND username = ?", Integer.class, room, username)
			.isEmpty();
	}

	/** Bans a user. Does nothing if the user is banned already. */
	void add(String room, String username, String by, Instant now) {
		if (!contains(room, username)) {
			this.jdbc.update("INSERT INTO room_ban (room_id, username, banned_by, banned_at) VALUES (?, ?, ?, ?)", room,
					username, by, UtcTime.of(now));
		}
	}

	void remove(String room, String username) {
		this.jdbc.update("DELETE FROM room_ban WHERE room_id = ? AND username = ?", room, username);
	}

}
