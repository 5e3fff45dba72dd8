package io.parley.store.account;

import java.time.Instant;
import java.util.Optional;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores the links with which users set a new password, by the SHA-256 of their secrets.
 * A user has at most one. Each method joins the caller's transaction. Safe for use by
 * many threads.
 */
public class PasswordResets {

	private final JdbcTemplate jdbc;

	PasswordResets(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Stores a link and removes the previous one of the user. Call it in a transaction
	 * that has locked the account.
	 */
	public void replace(String username, String tokenHash, Instant expiresAt) {
		remove(username);
		this.jdbc.update("INSERT INTO password_reset (username, token_hash, expires_at) VALUES (?, ?, ?)", username,
				tokenHash, UtcTime.of(expiresAt));
	}

	/** Returns the user whose secret has that hash, if it could be used now. */
	public Optional<String> findUser(String tokenHash, Instant now) {
		return this.jdbc
			.query("SELECT username FROM password_reset WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?",
					(row, index) -> row.getString("username"), tokenHash, UtcTime.of(now))
			.stream()
			.findFirst();
	}

	/**
	 * Takes a secret, by one conditional update: of several callers at once, one
	 * succeeds.
	 * @return whether it was valid
	 */
	public boolean take(String tokenHash, Instant now) {
		return this.jdbc.update("""
				UPDATE password_reset SET used_at = ?
				WHERE token_hash = ? AND used_at IS NULL AND expires_at > ?""", UtcTime.of(now), tokenHash,
				UtcTime.of(now)) == 1;
	}

	/** Removes the link of a user, if there is one. */
	public void remove(String username) {
		this.jdbc.update("DELETE FROM password_reset WHERE username = ?", username);
	}

}
