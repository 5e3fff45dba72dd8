package io.parley.store.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Stores which users have blocked which other users. */
public class BlockRepository {

	private final JdbcTemplate jdbc;

	BlockRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Blocks a user. Does nothing if the user is blocked already.
	 * @param limit the maximum number of users that one user may block
	 * @return false if the user has already blocked that many others
	 */
	@Transactional
	public boolean add(String username, String blocked, int limit, Instant now) {
		// Serializes the requests of one user, so that the count is exact.
		this.jdbc.queryForList("SELECT username FROM account WHERE username = ? FOR UPDATE", String.class, username);
		if (exists(username, blocked)) {
			return true;
		}
		if (count(username) >= limit) {
			return false;
		}
		this.jdbc.update("INSERT INTO user_block (username, blocked, since) VALUES (?, ?, ?)", username, blocked,
				UtcTime.of(now));
		return true;
	}

	private boolean exists(String username, String blocked) {
		return !this.jdbc
			.queryForList("SELECT 1 FROM user_block WHERE username = ? AND blocked = ?", Integer.class, username,
					blocked)
			.isEmpty();
	}

	private int count(String username) {
		Integer count = this.jdbc.queryForObject("SELECT COUNT(*) FROM user_block WHERE username = ?", Integer.class,
				username);
		return (count != null) ? count : 0;
	}

	/** Removes a block, if there is one. */
	public void remove(String username, String blocked) {
		this.jdbc.update("DELETE FROM user_block WHERE username = ? AND blocked = ?", username, blocked);
	}

	/** Returns the users whom the user has blocked, ordered by name. */
	public List<Block> of(String username) {
		return this.jdbc.query("SELECT blocked, since FROM user_block WHERE username = ? ORDER BY blocked",
				(row, number) -> new Block(row.getString("blocked"), UtcTime.read(row, "since")), username);
	}

	/** Returns whether one of the two users has blocked the other. */
	public boolean between(String one, String other) {
		return !this.jdbc
			.queryForList("""
					SELECT 1 FROM user_block
					WHERE (username = ? AND blocked = ?) OR (username = ? AND blocked = ?)""", Integer.class, one,
					other, other, one)
			.isEmpty();
	}

	/** Returns those of the users who have blocked the given user. */
	public List<String> blockersAmong(Collection<String> usernames, String blocked) {
		List<String> blockers = new ArrayList<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(blocked);
			blockers.addAll(this.jdbc.queryForList(
					"SELECT username FROM user_block WHERE blocked = ? AND username IN " + Chunks.placeholders(chunk),
					String.class, arguments.toArray()));
		}
		return blockers;
	}

}
