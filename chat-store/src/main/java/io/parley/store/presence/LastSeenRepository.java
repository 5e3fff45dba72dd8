package io.parley.store.presence;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;
import io.parley.store.Upserts;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;

/** Stores when users were last seen, and which of them hide it. */
public class LastSeenRepository {

	/** Compares, because GREATEST of a null is null. */
	private static final String SEE = """
			UPDATE last_seen SET seen_at = CASE WHEN seen_at > ? THEN seen_at ELSE ? END WHERE username = ?""";

	/** Reads one row of each table and user: there is one condition for each key. */
	private static final String VISIBLE = """
			SELECT s.username, s.seen_at FROM last_seen s
			WHERE s.seen_at IS NOT NULL AND NOT s.hidden
			AND NOT EXISTS (SELECT 1 FROM last_seen v WHERE v.username = ? AND v.hidden)
			AND NOT EXISTS (SELECT 1 FROM user_block b WHERE b.username = ? AND b.blocked = s.username)
			AND NOT EXISTS (SELECT 1 FROM user_block b WHERE b.username = s.username AND b.blocked = ?)
			AND s.username IN\s""";

	private final JdbcTemplate jdbc;

	private final Upserts upserts;

	LastSeenRepository(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.upserts = new Upserts(transactionManager);
	}

	/** Stores when users were seen, unless they were seen later already. */
	public void see(Map<String, Instant> users) {
		for (List<String> chunk : Chunks.of(users.keySet().stream().sorted().toList())) {
			this.upserts.run(() -> write(chunk, users));
		}
	}

	private void write(List<String> usernames, Map<String, Instant> users) {
		int[] updated = this.jdbc.batchUpdate(SEE, usernames.stream().map((username) -> {
			Object time = UtcTime.of(users.getOrDefault(username, Instant.EPOCH));
			return new Object[] { time, time, username };
		}).toList());
		List<Object[]> absent = new ArrayList<>();
		for (int i = 0; i < updated.length; i++) {
			if (updated[i] == 0) {
				String username = usernames.get(i);
				absent.add(new Object[] { UtcTime.of(users.getOrDefault(username, Instant.EPOCH)), username });
			}
		}
		if (!absent.isEmpty()) {
			this.jdbc.batchUpdate("INSERT INTO last_seen (seen_at, username) VALUES (?, ?)", absent);
		}
	}

	/** Stores whether a user hides when they were last seen. */
	public void hide(String username, boolean hidden) {
		this.upserts.run(() -> {
			if (this.jdbc.update("UPDATE last_seen SET hidden = ? WHERE username = ?", hidden, username) == 0) {
				this.jdbc.update("INSERT INTO last_seen (hidden, username) VALUES (?, ?)", hidden, username);
			}
		});
	}

	/** Returns whether a user hides when they were last seen. */
	public boolean isHidden(String username) {
		return this.jdbc.queryForList("SELECT hidden FROM last_seen WHERE username = ?", Boolean.class, username)
			.contains(true);
	}

	/**
	 * Returns when these users were last seen, as far as one user may know: nothing of
	 * users who hide it, nothing if the user hides it too, and nothing if one of the two
	 * has blocked the other.
	 */
	public Map<String, Instant> visibleTo(String viewer, Collection<String> usernames) {
		Map<String, Instant> seen = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(List.of(viewer, viewer, viewer));
			arguments.addAll(chunk);
			this.jdbc.query(VISIBLE + Chunks.placeholders(chunk), (row) -> {
				seen.put(row.getString(1), UtcTime.read(row, "seen_at"));
			}, arguments.toArray());
		}
		return seen;
	}

}
