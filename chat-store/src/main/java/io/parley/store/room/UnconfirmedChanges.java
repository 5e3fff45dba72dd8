package io.parley.store.room;

import java.time.Instant;

import io.parley.store.UtcTime;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Changes of rooms that are in the database, while it is not certain that their event is
 * in the log. Who repeats such a change gets its event appended again.
 */
public class UnconfirmedChanges {

	private final JdbcTemplate jdbc;

	UnconfirmedChanges(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** What was changed. */
	public enum Kind {

		/** The room was opened, by the user. */
		CREATED,

		/** The user became a member. */
		JOINED,

		/** The user is no member any more. */
		LEFT

	}

	/** Notes a change. One that is noted already stays so. */
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
			// The same change was noted at the same moment.
		}
	}

	/** Whether a change is noted. */
	public boolean contains(String room, String username, Kind kind) {
		return !this.jdbc
			.queryForList("SELECT 1 FROM unconfirmed_change WHERE room_id = ? AND username = ? AND kind = ?",
					Integer.class, room, username, kind.name())
			.isEmpty();
	}

	/** The event of the change is in the log, or the change was undone. */
	public void remove(String room, String username, Kind kind) {
		this.jdbc.update("DELETE FROM unconfirmed_change WHERE room_id = ? AND username = ? AND kind = ?", room,
				username, kind.name());
	}

}
