package io.parley.store.presence;

import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores sessions that vanished, until pushes are planned for the messages that they
 * missed.
 */
public class LostSessionRepository {

	private static final String INSERT = """
			INSERT INTO lost_session (id, room_id, username, heard_at, lost_at) VALUES (?, ?, ?, ?, ?)""";

	private static final String DELETE = """
			DELETE /*+ INDEX(lost_session PRIMARY) */ FROM lost_session WHERE (id, room_id) IN\s""";

	private final JdbcTemplate jdbc;

	LostSessionRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds sessions. An entry for the same session and room is replaced. */
	public void add(Collection<LostSession> lost) {
		Map<Object, LostSession> distinct = new LinkedHashMap<>();
		lost.forEach((session) -> distinct.put(List.of(session.id(), session.room()), session));
		for (List<LostSession> chunk : Chunks.of(distinct.values())) {
			delete(chunk);
			this.jdbc.batchUpdate(INSERT,
					chunk.stream()
						.map((session) -> new Object[] { session.id(), session.room(), session.username(),
								UtcTime.of(session.heardAt()), UtcTime.of(session.lostAt()) })
						.toList());
		}
	}

	private void delete(List<LostSession> sessions) {
		this.jdbc.update(DELETE + Chunks.pairs(sessions),
				sessions.stream().flatMap((session) -> Stream.of(session.id(), session.room())).toArray());
	}

	/**
	 * Returns and locks a page of the sessions that were lost before a time, ordered by
	 * key. No other caller gets the same ones until the caller's transaction ends.
	 * @param after the last session of the previous page, or null for the first page
	 */
	public List<LostSession> lock(int limit, Instant lostBefore, @Nullable LostSession after) {
		String id = (after != null) ? after.id() : "";
		return this.jdbc.query("""
				SELECT * FROM lost_session WHERE id >= ? AND (id > ? OR room_id > ?) AND lost_at < ?
				ORDER BY id, room_id LIMIT ? FOR UPDATE SKIP LOCKED""",
				(row, index) -> new LostSession(row.getString("id"), row.getString("room_id"),
						row.getString("username"), UtcTime.read(row, "heard_at"), UtcTime.read(row, "lost_at")),
				id, id, (after != null) ? after.room() : "", UtcTime.of(lostBefore), limit);
	}

	/** Removes sessions that were handled. Joins the caller's transaction. */
	public void remove(Collection<LostSession> sessions) {
		Chunks.of(sessions).forEach(this::delete);
	}

}
