package io.parley.store.account;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

import io.parley.store.UtcTime;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores which tokens of external issuers are refused. Each method joins the caller's
 * transaction. Safe for use by many threads.
 */
public class ExternalSignOutRepository {

	private final JdbcTemplate jdbc;

	ExternalSignOutRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Returns the entry with that id. */
	public Optional<ExternalSignOut> find(String id) {
		return this.jdbc.query("SELECT * FROM external_sign_out WHERE id = ?", (row, index) -> read(row), id)
			.stream()
			.findFirst();
	}

	/**
	 * Stores an entry, or replaces the one with the same id. What was refused until a
	 * later time than the new entry says is still refused.
	 */
	public void put(ExternalSignOut entry) {
		if (replace(entry)) {
			return;
		}
		try {
			this.jdbc.update("""
					INSERT INTO external_sign_out (id, username, issued_until, kept, ended_at, expires_at)
					VALUES (?, ?, ?, ?, ?, ?)""", entry.id(), entry.username(), UtcTime.of(entry.issuedUntil()),
					entry.kept(), UtcTime.of(entry.endedAt()), UtcTime.of(entry.expiresAt()));
		}
		catch (DuplicateKeyException ex) {
			replace(entry);
		}
	}

	private boolean replace(ExternalSignOut entry) {
		return this.jdbc.update("""
				UPDATE external_sign_out SET issued_until = GREATEST(issued_until, ?), kept = ?, ended_at = ?,
					expires_at = GREATEST(expires_at, ?)
				WHERE id = ?""", UtcTime.of(entry.issuedUntil()), entry.kept(), UtcTime.of(entry.endedAt()),
				UtcTime.of(entry.expiresAt()), entry.id()) == 1;
	}

	/** Returns the entries whose tokens have not all expired. */
	public List<ExternalSignOut> live(Instant now) {
		return this.jdbc.query("SELECT * FROM external_sign_out WHERE expires_at > ?", (row, index) -> read(row),
				UtcTime.of(now));
	}

	/** Returns the entries that were stored at or after a time. */
	public List<ExternalSignOut> endedSince(Instant since) {
		return this.jdbc.query("SELECT * FROM external_sign_out WHERE ended_at >= ?", (row, index) -> read(row),
				UtcTime.of(since));
	}

	/** Removes the entries whose tokens had all expired at that time. */
	public int removeExpired(Instant time) {
		return this.jdbc.update("DELETE FROM external_sign_out WHERE expires_at < ?", UtcTime.of(time));
	}

	private static ExternalSignOut read(ResultSet row) throws SQLException {
		return new ExternalSignOut(row.getString("id"), row.getString("username"), UtcTime.read(row, "issued_until"),
				row.getString("kept"), UtcTime.read(row, "ended_at"), UtcTime.read(row, "expires_at"));
	}

}
