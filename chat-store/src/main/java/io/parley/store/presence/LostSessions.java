package io.parley.store.presence;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/** Sessions that vanished, until somebody has looked after what they missed. */
public class LostSessions {

	private static final String INSERT = """
			INSERT INTO lost_session (id, room_id, username, heard_at, lost_at) VALUES (?, ?, ?, ?, ?)""";

	private static final String DELETE = "DELETE FROM lost_session WHERE id = ? AND room_id = ?";

	private final JdbcTemplate jdbc;

	LostSessions(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds them; a session that is there already for the same room is replaced. */
	public void add(Collection<LostSession> lost) {
		Map<Object, LostSession> distinct = new LinkedHashMap<>();
		lost.forEach((session) -> distinct.put(List.of(session.id(), session.room()), session));
		for (List<LostSession> chunk : Chunks.of(distinct.values())) {
			this.jdbc.batchUpdate(DELETE, chunk.stream().map(LostSessions::key).toList());
			this.jdbc.batchUpdate(INSERT,
					chunk.stream()
						.map((session) -> new Object[] { session.id(), session.room(), session.username(),
								UtcTime.of(session.heardAt()), UtcTime.of(session.lostAt()) })
						.toList());
		}
	}

	private static Object[] key(LostSession session) {
		return new Object[] { session.id(), session.room() };
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
		this.jdbc.batchUpdate(DELETE, taken.stream().map(LostSessions::key).toList());
		return taken;
	}

}
