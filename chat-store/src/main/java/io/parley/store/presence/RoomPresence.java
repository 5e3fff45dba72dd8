package io.parley.store.presence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores which users follow which room live on which node, for the push decision. Each
 * node writes only its own rows. They count while the node {@linkplain NodePresence#renew
 * renews} its lease.
 */
public class RoomPresence {

	private static final String INSERT = "INSERT INTO room_presence (node, room_id, username) VALUES (?, ?, ?)";

	private static final String DELETE = "DELETE FROM room_presence WHERE (node, room_id, username) IN ";

	/**
	 * Many rows are removed in several transactions, because a long one blocks others.
	 */
	static final String DELETE_SOME = "DELETE FROM room_presence WHERE node = ? LIMIT ?";

	static final int DELETED_ROWS = 1_000;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	RoomPresence(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/** A user who follows a room. */
	public record Follower(String room, String username) {
	}

	/** Stores that these users follow their rooms. Some of them may be stored already. */
	public void enter(String node, Collection<Follower> followers) {
		for (List<Follower> chunk : Chunks.of(new LinkedHashSet<>(followers))) {
			try {
				this.transaction.executeWithoutResult((status) -> insert(node, chunk));
			}
			catch (DuplicateKeyException ex) {
				// Rare: an earlier write was committed although it failed.
				this.transaction.executeWithoutResult((status) -> {
					delete(node, chunk);
					insert(node, chunk);
				});
			}
		}
	}

	private void insert(String node, List<Follower> followers) {
		this.jdbc.batchUpdate(INSERT, rows(node, followers));
	}

	/** Stores that these users no longer follow their rooms. */
	public void leave(String node, Collection<Follower> followers) {
		for (List<Follower> chunk : Chunks.of(followers)) {
			this.transaction.executeWithoutResult((status) -> delete(node, chunk));
		}
	}

	private void delete(String node, List<Follower> followers) {
		this.jdbc.update(DELETE + Chunks.triples(followers),
				rows(node, followers).stream().flatMap(Arrays::stream).toArray());
	}

	private static List<Object[]> rows(String node, Collection<Follower> followers) {
		return followers.stream()
			.map((follower) -> new Object[] { node, follower.room(), follower.username() })
			.toList();
	}

	/**
	 * Removes at most 1,000 rows of the node.
	 * @return whether there may be more
	 */
	public boolean clearSome(String node) {
		return this.jdbc.update(DELETE_SOME, node, DELETED_ROWS) == DELETED_ROWS;
	}

	/**
	 * Returns which of the users follow the room on a live node, and up to when this is
	 * certain: messages delivered before that time have reached them.
	 */
	public Map<String, Instant> followersAmong(String room, Collection<String> usernames, Instant now) {
		Map<String, Instant> followers = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			followers.putAll(followers(room, now, "IN " + Chunks.placeholders(chunk), chunk));
		}
		return followers;
	}

	/**
	 * Does the same for all users from one name to another, both inclusive, in the
	 * database's order of names.
	 */
	public Map<String, Instant> followersBetween(String room, String first, String last, Instant now) {
		return followers(room, now, "BETWEEN ? AND ?", List.of(first, last));
	}

	/** Does the same for all users who follow one of the rooms. */
	public Map<Follower, Instant> followersOf(Collection<String> rooms, Instant now) {
		Map<Follower, Instant> followers = new HashMap<>();
		for (List<String> chunk : Chunks.of(rooms)) {
			List<Object> arguments = new ArrayList<>(List.of(UtcTime.of(now)));
			arguments.addAll(chunk);
			this.jdbc.query("""
					SELECT p.room_id, p.username, MAX(l.renewed_at) AS live_until
					FROM room_presence p JOIN node_lease l ON l.node = p.node
					WHERE l.expires_at > ? AND l.renewed_at IS NOT NULL AND p.room_id IN\s"""
					+ Chunks.placeholders(chunk) + " GROUP BY p.room_id, p.username", (row) -> {
						followers.put(new Follower(row.getString(1), row.getString(2)),
								UtcTime.read(row, "live_until"));
					}, arguments.toArray());
		}
		return followers;
	}

	private Map<String, Instant> followers(String room, Instant now, String condition, List<String> usernames) {
		Map<String, Instant> followers = new HashMap<>();
		List<Object> arguments = new ArrayList<>(List.of(room, UtcTime.of(now)));
		arguments.addAll(usernames);
		this.jdbc.query("""
				SELECT p.username, MAX(l.renewed_at) FROM room_presence p JOIN node_lease l ON l.node = p.node
				WHERE p.room_id = ? AND l.expires_at > ? AND l.renewed_at IS NOT NULL AND p.username\s""" + condition
				+ " GROUP BY p.username", (row) -> {
					followers.put(row.getString(1), row.getObject(2, LocalDateTime.class).toInstant(ZoneOffset.UTC));
				}, arguments.toArray());
		return followers;
	}

}
