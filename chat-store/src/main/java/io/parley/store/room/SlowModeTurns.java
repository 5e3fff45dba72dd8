package io.parley.store.room;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores when users sent their last message in rooms with slow mode. The database
 * decides, so of several messages at the same moment, on any servers, one gets the turn.
 * Times are in whole milliseconds. Safe for use by many threads.
 */
public class SlowModeTurns {

	private static final int ATTEMPTS = 3;

	private final JdbcTemplate jdbc;

	SlowModeTurns(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Takes the turn of a user, unless the last one is not long enough ago. The message
	 * that has the turn gets it again, and the time stays the same.
	 * @return null if the message has the turn; otherwise when the last message got it
	 */
	public @Nullable Instant take(String room, String username, String clientId, Instant now, Duration pause) {
		for (int i = 0; i < ATTEMPTS; i++) {
			if (update(room, username, clientId, now, pause) || insert(room, username, clientId, now)) {
				return null;
			}
			List<Instant> found = this.jdbc.query(
					"SELECT taken_at FROM slow_mode_turn WHERE room_id = ? AND username = ?",
					(row, index) -> UtcTime.read(row, "taken_at"), room, username);
			if (!found.isEmpty()) {
				return found.getFirst();
			}
			// It was given back since the insert.
		}
		return now;
	}

	private boolean update(String room, String username, String clientId, Instant now, Duration pause) {
		return this.jdbc.update("""
				UPDATE slow_mode_turn SET taken_at = CASE WHEN client_id = ? THEN taken_at ELSE ? END, client_id = ?
				WHERE room_id = ? AND username = ? AND (taken_at <= ? OR client_id = ?)""", clientId, UtcTime.of(now),
				clientId, room, username, UtcTime.of(now.minus(pause)), clientId) > 0;
	}

	private boolean insert(String room, String username, String clientId, Instant now) {
		try {
			return this.jdbc.update("""
					INSERT INTO slow_mode_turn (room_id, username, client_id, taken_at) VALUES (?, ?, ?, ?)""", room,
					username, clientId, UtcTime.of(now)) > 0;
		}
		catch (DuplicateKeyException ex) {
			return false;
		}
	}

	/** Gives back a turn that a message took at that time and did not use. */
	public void giveBack(String room, String username, String clientId, Instant takenAt) {
		this.jdbc.update(
				"DELETE FROM slow_mode_turn WHERE room_id = ? AND username = ? AND client_id = ? AND taken_at = ?",
				room, username, clientId, UtcTime.of(takenAt));
	}

	/** Forgets all turns in a room, whose slow mode is off. */
	public void clear(String room) {
		this.jdbc.update("DELETE FROM slow_mode_turn WHERE room_id = ?", room);
	}

}
