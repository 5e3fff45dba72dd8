package io.parley.store.presence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.events.RecordFormat;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Who is connected to which node. Each node writes its own rows only, and keeps them true
 * by a lease: the rows of a node that died count no more once its lease is over, and
 * another node {@linkplain #remove removes} them.
 *
 * <p>
 * A user is online for others from the first row, on whatever node, to the last. So
 * {@link #online}, {@link #offline} and {@link #remove} answer who must be told of.
 */
public class NodePresence {

	/** The end of a lease that was given up or taken away. */
	private static final LocalDateTime ENDED = UtcTime.of(Instant.EPOCH);

	private static final int REMOVED_USERS = 200;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	NodePresence(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Starts the lease of a node: it is alive and reads the record formats of this build,
	 * but vouches for nothing that it has written before it {@linkplain #renew renews}.
	 */
	public void begin(String node, Instant expiresAt) {
		Object[] values = { UtcTime.of(expiresAt), RecordFormat.NEWEST.version(), node };
		this.transaction.executeWithoutResult((status) -> {
			if (this.jdbc.update(
					"UPDATE node_lease SET expires_at = ?, renewed_at = NULL, record_version = ? WHERE node = ?",
					values) == 0) {
				this.jdbc.update("INSERT INTO node_lease (expires_at, record_version, node) VALUES (?, ?, ?)", values);
			}
		});
	}

	/**
	 * Prolongs the lease of a node.
	 * @param trueAt when all that the node has written was true, or null to leave that
	 * time as it is
	 * @return false when there is no lease to prolong, because another node has
	 * {@linkplain #remove removed} what this one has written: it must {@link #begin} and
	 * write again
	 */
	public boolean renew(String node, @Nullable Instant trueAt, Instant expiresAt) {
		return this.jdbc.update("""
				UPDATE node_lease SET expires_at = ?, renewed_at = COALESCE(?, renewed_at)
				WHERE node = ? AND expires_at > ?""", UtcTime.of(expiresAt),
				(trueAt != null) ? UtcTime.of(trueAt) : null, node, ENDED) > 0;
	}

	/**
	 * Ends the lease of a node; its rows count no more and wait for {@link #remove}. What
	 * formats it reads is forgotten: an older build may come under its name.
	 */
	public void end(String node) {
		this.jdbc.update(
				"UPDATE node_lease SET expires_at = ?, renewed_at = NULL, record_version = NULL WHERE node = ?", ENDED,
				node);
	}

	/** The end of the lease of each node. */
	public Map<String, Instant> leases() {
		Map<String, Instant> leases = new HashMap<>();
		this.jdbc.query("SELECT node, expires_at FROM node_lease", (row) -> {
			leases.put(row.getString("node"), UtcTime.read(row, "expires_at"));
		});
		return leases;
	}

	/**
	 * A part of what was removed.
	 *
	 * @param offline users who were connected to that node and are connected to no other
	 * @param more whether there may be more to remove
	 */
	public record Removed(List<String> offline, boolean more) {
	}

	/**
	 * Removes some of the rows of a node that has died, and the lease when no row is
	 * left. Does nothing when the node has renewed its lease.
	 * @param expiresAt the end of its lease, as {@link #leases} gave it
	 */
	public Removed remove(String node, Instant expiresAt) {
		List<String> users = new ArrayList<>();
		boolean more = Boolean.TRUE.equals(this.transaction.execute((status) -> {
			// Locks the lease: a node that comes back waits, and then knows what has
			// happened.
			if (this.jdbc.update("UPDATE node_lease SET expires_at = ? WHERE node = ? AND expires_at IN (?, ?)", ENDED,
					node, UtcTime.of(expiresAt), ENDED) == 0) {
				return false;
			}
			users.addAll(usersOf(node, "", REMOVED_USERS));
			if (!users.isEmpty()) {
				delete(node, users);
				return true;
			}
			if (this.jdbc.update(RoomPresence.DELETE_SOME, node, RoomPresence.DELETED_ROWS) > 0) {
				return true;
			}
			this.jdbc.update("DELETE FROM node_lease WHERE node = ?", node);
			return false;
		}));
		return new Removed(without(users, nodesOf(users).keySet()), more);
	}

	/**
	 * These users are connected to the node; some of them may have been already.
	 * @return those who were connected to no node before
	 */
	public List<String> online(String node, Collection<String> usernames) {
		List<String> came = new ArrayList<>();
		for (List<String> chunk : Chunks.of(new LinkedHashSet<>(usernames))) {
			Map<String, Set<String>> before = nodesOf(chunk);
			List<String> absent = chunk.stream()
				.filter((username) -> !before.getOrDefault(username, Set.of()).contains(node))
				.toList();
			this.transaction.executeWithoutResult((status) -> this.jdbc
				.batchUpdate("INSERT INTO node_presence (node, username) VALUES (?, ?)", rows(node, absent)));
			// Another node may have come or gone meanwhile. Only one that was there all
			// the time has told of the user.
			Map<String, Set<String>> after = nodesOf(absent);
			absent.stream()
				.filter((username) -> Collections.disjoint(before.getOrDefault(username, Set.of()),
						after.getOrDefault(username, Set.of())))
				.forEach(came::add);
		}
		return came;
	}

	/**
	 * These users are connected to the node no more.
	 * @return those who were, and are connected to no other node
	 */
	public List<String> offline(String node, Collection<String> usernames) {
		List<String> went = new ArrayList<>();
		for (List<String> chunk : Chunks.of(new LinkedHashSet<>(usernames))) {
			Map<String, Set<String>> before = nodesOf(chunk);
			List<String> present = chunk.stream()
				.filter((username) -> before.getOrDefault(username, Set.of()).contains(node))
				.toList();
			this.transaction.executeWithoutResult((status) -> delete(node, present));
			went.addAll(without(present, nodesOf(present).keySet()));
		}
		return went;
	}

	/**
	 * A page of the users who are connected to the node, ordered by name.
	 * @param after the last name of the page before, or "" for the first page
	 */
	public List<String> usersOf(String node, String after, int limit) {
		return this.jdbc.queryForList(
				"SELECT username FROM node_presence WHERE node = ? AND username > ? ORDER BY username LIMIT ?",
				String.class, node, after, limit);
	}

	/**
	 * The nodes of each user, whether they are alive or not: each has told of the user.
	 */
	private Map<String, Set<String>> nodesOf(List<String> usernames) {
		Map<String, Set<String>> nodes = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			this.jdbc.query("SELECT username, node FROM node_presence WHERE username IN " + Chunks.places(chunk),
					(row) -> {
						nodes.computeIfAbsent(row.getString(1), (username) -> new HashSet<>()).add(row.getString(2));
					}, chunk.toArray());
		}
		return nodes;
	}

	private void delete(String node, List<String> usernames) {
		this.jdbc.batchUpdate("DELETE FROM node_presence WHERE node = ? AND username = ?", rows(node, usernames));
	}

	private static List<Object[]> rows(String node, Collection<String> usernames) {
		return usernames.stream().map((username) -> new Object[] { node, username }).toList();
	}

	private static List<String> without(List<String> usernames, Set<String> others) {
		return usernames.stream().filter((username) -> !others.contains(username)).toList();
	}

	/** The nodes that are alive, without this one. */
	public List<String> aliveBesides(String node, Instant now) {
		return this.jdbc.queryForList("SELECT node FROM node_lease WHERE expires_at > ? AND node <> ? ORDER BY node",
				String.class, UtcTime.of(now), node);
	}

	/** Those of the users who are connected to a node that is alive. */
	public Set<String> onlineAmong(Collection<String> usernames, Instant now) {
		Set<String> online = new HashSet<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(UtcTime.of(now));
			online.addAll(this.jdbc.queryForList("""
					SELECT p.username FROM node_presence p JOIN node_lease l ON l.node = p.node
					WHERE l.expires_at > ? AND p.username IN\s""" + Chunks.places(chunk), String.class,
					arguments.toArray()));
		}
		return online;
	}

}
