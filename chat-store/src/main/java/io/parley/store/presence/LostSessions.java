package io.parley.store.presence;

import java.time.Instant;
import java.util.Collection;
import java.util.List;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/** Sessions that vanished, until somebody has looked after what they missed. */
public class LostSessions {

	private static final String INSERT = """
			INSERT INTO lost_session (id, room_id, username, heard_at, lost_at) VALUES (?, ?, ?, ?, ?)""";

	private final JdbcTemplate jdbc;

	LostSessions(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	public void add(Collection<LostSession> lost) {
		this.jdbc.batchUpdate(INSERT,
				lost.stream()
					.map((session) -> new Object[] { session.id(), session.room(), session.username(),
							UtcTime.of(session.heardAt()), UtcTime.of(session.lostAt()) })
					.toList());
	}

	/**
	 * Takes some of those that were lost before a time; joins the caller's transaction,
	 * and no other takes the same.
	 */
	public List<LostSession> take(int limit, Instant lostBefore) {
		List<LostSession> taken = this.jdbc.query(
				"SELECT * FROM lost_session WHERE lost_at < ? LIMIT ? FOR UPDATE SKIP LOCKED",
				(row, index) -> new LostSession(row.getString("id"), row.getString("room_id"),
						row.getString("username"), UtcTime.read(row, "heard_at"), UtcTime.read(row, "lost_at")),
				UtcTime.of(lostBefore), limit);
		this.jdbc.batchUpdate("DELETE FROM lost_session WHERE id = ? AND room_id = ?",
				taken.stream().map((session) -> new Object[] { session.id(), session.room() }).toList());
		return taken;
	}

}
