package io.parley.store.account;

import java.time.Instant;
import java.util.Optional;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores which account belongs to which user of an external issuer. An entry is never
 * changed or removed. Each method joins the caller's transaction. Safe for use by many
 * threads.
 */
public class ExternalIdentities {

	/** The maximum length of an issuer and of a subject, in UTF-16 units. */
	public static final int MAX_LENGTH = 255;

	private final JdbcTemplate jdbc;

	ExternalIdentities(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/** Returns the name of the account of a user of an issuer. */
	public Optional<String> find(String issuer, String subject) {
		return this.jdbc
			.query("SELECT username FROM external_identity WHERE issuer = ? AND subject = ?",
					(row, index) -> row.getString("username"), issuer, subject)
			.stream()
			.findFirst();
	}

	/** Returns whether an account belongs to a user of an issuer. */
	public boolean isExternal(String username) {
		return !this.jdbc
			.queryForList("SELECT username FROM external_identity WHERE username = ?", String.class, username)
			.isEmpty();
	}

	/**
	 * Adds the account of a user of an issuer.
	 * @throws org.springframework.dao.DuplicateKeyException if the user has an account,
	 * or the account belongs to somebody else
	 */
	public void add(String issuer, String subject, String username, Instant createdAt) {
		this.jdbc.update("INSERT INTO external_identity (issuer, subject, username, created_at) VALUES (?, ?, ?, ?)",
				issuer, subject, username, UtcTime.of(createdAt));
	}

}
