package io.parley.store.draft;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores the drafts of users: one for each room and thread, of which the last write wins.
 * The writes of one user run one after the other, so that versions grow and the count is
 * exact. Times are in whole milliseconds. Safe for use by many threads.
 */
public class DraftRepository {

	private static final String KEY = " WHERE username = ? AND room_id = ? AND thread = ?";

	private static final int DELETE_ROWS = 1_000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	DraftRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Replaces the draft of a user.
	 * @param limit how many drafts the user may have; 0 for any number
	 * @return nothing if the user has that many others
	 */
	public Optional<Draft> put(String username, String room, long thread, String body, int limit, Instant now) {
		return this.transaction.execute((status) -> {
			lock(username);
			Draft before = find(username, room, thread);
			boolean isNew = before == null || before.body() == null;
			return (isNew && limit > 0 && count(username) >= limit) ? Optional.empty()
					: Optional.of(write(username, room, thread, body, before, now));
		});
	}

	/**
	 * Removes the draft of a user.
	 * @return nothing if there is none
	 */
	public Optional<Draft> remove(String username, String room, long thread, Instant now) {
		return this.transaction.execute((status) -> {
			lock(username);
			Draft before = find(username, room, thread);
			return (before == null || before.body() == null) ? Optional.empty()
					: Optional.of(write(username, room, thread, null, before, now));
		});
	}

	private void lock(String username) {
		this.jdbc.query("SELECT username FROM account WHERE username = ? FOR UPDATE", (row, index) -> row.getString(1),
				username);
	}

	private @Nullable Draft find(String username, String room, long thread) {
		return this.jdbc.query("SELECT * FROM draft" + KEY, DraftRepository::draft, username, room, thread)
			.stream()
			.findFirst()
			.orElse(null);
	}

	private int count(String username) {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM draft WHERE username = ? AND body IS NOT NULL",
				Integer.class, username);
		return (count != null) ? count : 0;
	}

	/**
	 * The version is a time, so that it grows even if the row was deleted meanwhile, and
	 * grows also if the clock of another server is ahead.
	 */
	private Draft write(String username, String room, long thread, @Nullable String body, @Nullable Draft before,
			Instant now) {
		long version = Math.max(now.toEpochMilli(), (before != null) ? before.version() + 1 : 0);
		if (before != null) {
			this.jdbc.update("UPDATE draft SET version = ?, changed_at = ?, body = ?" + KEY, version, UtcTime.of(now),
					body, username, room, thread);
		}
		else {
			this.jdbc.update("""
					INSERT INTO draft (version, changed_at, body, username, room_id, thread)
					VALUES (?, ?, ?, ?, ?, ?)""", version, UtcTime.of(now), body, username, room, thread);
		}
		return new Draft(room, thread, version, now, body);
	}

	/**
	 * Returns the drafts of a user in rooms of which the user is a member, the newest
	 * first.
	 */
	public List<Draft> of(String username) {
		return this.jdbc.query("""
				SELECT d.* FROM draft d JOIN room_member m ON m.room_id = d.room_id AND m.username = d.username
				WHERE d.username = ? AND d.body IS NOT NULL
				ORDER BY d.changed_at DESC, d.room_id, d.thread""", DraftRepository::draft, username);
	}

	/** Deletes the drafts of a user in a room. */
	public void deleteIn(String room, String username) {
		this.jdbc.update("DELETE FROM draft WHERE username = ? AND room_id = ?", username, room);
	}

	/**
	 * Deletes the rows of drafts that were removed before that time, in several
	 * statements.
	 */
	public void deleteRemovedBefore(Instant time) {
		int last = DELETE_ROWS;
		while (last == DELETE_ROWS) {
			last = this.jdbc.update("DELETE FROM draft WHERE changed_at < ? AND body IS NULL LIMIT " + DELETE_ROWS,
					UtcTime.of(time));
		}
	}

	private static Draft draft(ResultSet row, int index) throws SQLException {
		return new Draft(row.getString("room_id"), row.getLong("thread"), row.getLong("version"),
				UtcTime.read(row, "changed_at").truncatedTo(ChronoUnit.MILLIS), row.getString("body"));
	}

}
