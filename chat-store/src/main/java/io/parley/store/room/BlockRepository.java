package io.parley.store.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;

/** Who has blocked whom. */
public class BlockRepository {

	private final JdbcTemplate jdbc;

	BlockRepository(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Blocks a user. One who is blocked already stays so.
	 * @param most how many users one user may block
	 * @return false when the user has blocked so many others already
	 */
	@Transactional
	public boolean add(String username, String blocked, int most, Instant now) {
		// Requests of the same user wait for each other here, so the count is exact.
		this.jdbc.queryForList("SELECT username FROM account WHERE username = ? FOR UPDATE", String.class, username);
		if (exists(username, blocked)) {
			return true;
		}
		if (count(username) >= most) {
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

	/** Ends a block, if there is one. */
	public void remove(String username, String blocked) {
		this.jdbc.update("DELETE FROM user_block WHERE username = ? AND blocked = ?", username, blocked);
	}

	/** Whom the user has blocked, by name. */
	public List<Block> of(String username) {
		return this.jdbc.query("SELECT blocked, since FROM user_block WHERE username = ? ORDER BY blocked",
				(row, number) -> new Block(row.getString("blocked"), UtcTime.read(row, "since")), username);
	}

	/** Whether one of the two has blocked the other. */
	public boolean between(String one, String other) {
		return !this.jdbc
			.queryForList("""
					SELECT 1 FROM user_block
					WHERE (username = ? AND blocked = ?) OR (username = ? AND blocked = ?)""", Integer.class, one,
					other, other, one)
			.isEmpty();
	}

	/** Those of the users who have blocked a user. */
	public List<String> blockersAmong(Collection<String> usernames, String blocked) {
		List<String> blockers = new ArrayList<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(blocked);
			blockers.addAll(this.jdbc.queryForList(
					"SELECT username FROM user_block WHERE blocked = ? AND username IN " + Chunks.places(chunk),
					String.class, arguments.toArray()));
		}
		return blockers;
	}

}
