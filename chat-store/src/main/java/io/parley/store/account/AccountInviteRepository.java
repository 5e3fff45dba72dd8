package io.parley.store.account;

import java.time.Instant;
import java.util.List;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Stores the links with which people register, by the SHA-256 of their secrets. Each
 * method joins the caller's transaction. Safe for use by many threads.
 */
public class AccountInviteRepository {

	private final JdbcTemplate jdbc;

	AccountInviteRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	public void add(AccountInvite invite, String tokenHash) {
		this.jdbc.update("""
				INSERT INTO account_invite (id, token_hash, created_by, created_at, expires_at, max_uses, uses)
				VALUES (?, ?, ?, ?, ?, ?, 0)""", invite.id(), tokenHash, invite.createdBy(),
				UtcTime.of(invite.createdAt()), UtcTime.of(invite.expiresAt()), invite.maxUses());
	}

	/** Returns whether the secret with that hash could be used now. Takes nothing. */
	public boolean isUsable(String tokenHash, Instant now) {
		return !this.jdbc
			.queryForList("SELECT id FROM account_invite WHERE token_hash = ? AND uses < max_uses AND expires_at > ?",
					String.class, tokenHash, UtcTime.of(now))
			.isEmpty();
	}

	/**
	 * Takes one use, by one conditional update: of several callers at once, no more than
	 * the remaining uses succeed.
	 * @return whether there was one
	 */
	public boolean take(String tokenHash, Instant now) {
		return this.jdbc.update("""
				UPDATE account_invite SET uses = uses + 1
				WHERE token_hash = ? AND uses < max_uses AND expires_at > ?""", tokenHash, UtcTime.of(now)) == 1;
	}

	/** Returns the links that have not expired, the newest first. */
	public List<AccountInvite> valid(Instant now, int limit) {
		return this.jdbc.query("SELECT * FROM account_invite WHERE expires_at > ? ORDER BY created_at DESC, id LIMIT ?",
				(row, index) -> new AccountInvite(row.getString("id"), row.getString("created_by"),
						UtcTime.read(row, "created_at"), UtcTime.read(row, "expires_at"), row.getInt("max_uses"),
						row.getInt("uses")),
				UtcTime.of(now), limit);
	}

	/**
	 * Removes a link.
	 * @return whether there was one
	 */
	public boolean remove(String id) {
		return this.jdbc.update("DELETE FROM account_invite WHERE id = ?", id) == 1;
	}

	/** Removes the links that expired before that time. */
	public int removeExpired(Instant time) {
		return this.jdbc.update("DELETE FROM account_invite WHERE expires_at < ?", UtcTime.of(time));
	}

}
