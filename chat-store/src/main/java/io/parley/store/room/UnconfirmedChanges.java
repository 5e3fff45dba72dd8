package io.parley.store.room;

import java.time.Instant;

import io.parley.store.UtcTime;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores changes of rooms that are in the database, but whose event may not be in the
 * log. When a client repeats such a change, its event is appended again.
 */
public class UnconfirmedChanges {

	private final JdbcTemplate jdbc;

	UnconfirmedChanges(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** The kind of change. */
	public enum Kind {

		/** The user created the room. */
		CREATED,

		/** The user became a member. */
		JOINED,

		/** The user is no longer a member. */
		LEFT,

		/** The user has another role. */
		ROLE,

		/** The room has another name, topic or setting. The user is "". */
		SETTINGS

	}

	/** Records a change. Does nothing if it is recorded already. */
	public void add(String room, String username, Kind kind, Instant now) {
		if (contains(room, username, kind)) {
			return;
		}
		try {
			this.jdbc.update("""
					INSERT INTO unconfirmed_change (room_id, username, kind, changed_at) VALUES (?, ?, ?, ?)""", room,
					username, kind.name(), UtcTime.of(now));
		}
		catch (DuplicateKeyException ex) {
			// The same change was recorded at the same moment.
		}
	}

	/** Returns whether a change is recorded. */
	public boolean contains(String room, String username, Kind kind) {
		return !this.jdbc
			.queryForList("SELECT 1 FROM unconfirmed_change WHERE room_id = ? AND username = ? AND kind = ?",
					Integer.class, room, username, kind.name())
			.isEmpty();
	}

	/** Removes a change whose event is in the log, or that was reverted. */
	public void remove(String room, String username, Kind kind) {
		this.jdbc.update("DELETE FROM unconfirmed_change WHERE room_id = ? AND username = ? AND kind = ?", room,
				username, kind.name());
	}

}
