package io.parley.store.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores the audit log. Entries are added and, after the retention time, removed; no
 * method changes one. Safe for use by many threads.
 */
public class AuditEventRepository {

	private static final int DELETE_ROWS = 10_000;

	private final JdbcTemplate jdbc;

	AuditEventRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Adds an entry; its id is ignored. Joins the caller's transaction. */
	public void add(AuditEvent event) {
		this.jdbc.update("""
				INSERT INTO audit_event (happened_at, action, actor, username, address, node, detail)
				VALUES (?, ?, ?, ?, ?, ?, ?)""", UtcTime.of(event.at()), event.action(), event.actor(),
				event.username(), event.address(), event.node(), event.detail());
	}

	/**
	 * Returns entries, the newest first.
	 * @param user the actor or the user whom the action is about; null for any
	 * @param action null for any
	 * @param before the entries are older than the one with this id
	 */
	public List<AuditEvent> page(@Nullable String user, @Nullable String action, long before, int limit) {
		StringBuilder sql = new StringBuilder("SELECT * FROM audit_event WHERE id < ?");
		List<Object> arguments = new ArrayList<>(List.of(before));
		if (user != null) {
			sql.append(" AND (actor = ? OR username = ?)");
			arguments.addAll(List.of(user, user));
		}
		if (action != null) {
			sql.append(" AND action = ?");
			arguments.add(action);
		}
		sql.append(" ORDER BY id DESC LIMIT ?");
		arguments.add(limit);
		return this.jdbc.query(sql.toString(), AuditEventRepository::event, arguments.toArray());
	}

	/**
	 * Removes entries older than that, in several statements.
	 * @return the number of removed entries
	 */
	public int removeBefore(Instant time) {
		int removed = 0;
		int last = DELETE_ROWS;
		while (last == DELETE_ROWS) {
			last = this.jdbc.update("DELETE FROM audit_event WHERE happened_at < ? LIMIT " + DELETE_ROWS,
					UtcTime.of(time));
			removed += last;
		}
		return removed;
	}

	private static AuditEvent event(ResultSet row, int index) throws SQLException {
		return new AuditEvent(row.getLong("id"), UtcTime.read(row, "happened_at"), row.getString("action"),
				row.getString("actor"), row.getString("username"), row.getString("address"), row.getString("node"),
				row.getString("detail"));
	}

}
