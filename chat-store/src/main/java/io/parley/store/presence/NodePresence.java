package io.parley.store.presence;

import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

import io.parley.events.RecordFormat;
import io.parley.store.Chunks;
import io.parley.store.UtcTime;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores which users are connected to which node. Each node writes only its own rows, and
 * keeps them valid by a lease. The rows of a node that died no longer count once its
 * lease has expired, and another node {@linkplain #remove removes} them.
 *
 * <p>
 * To others, a user is online from the first row on any node to the last, and away while
 * all rows say so. Therefore {@link #online}, {@link #offline} and {@link #remove} return
 * the users about whom others must be notified.
 */
public class NodePresence {

	/** The expiry of a lease that was ended by its node or revoked by another one. */
	private static final LocalDateTime ENDED = UtcTime.of(Instant.EPOCH);

	private static final int REMOVED_USERS = 200;

	private final JdbcTemplate jdbc;

	private final RoomPresence rooms;

	private final TransactionTemplate transaction;

	NodePresence(JdbcTemplate jdbc, RoomPresence rooms, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.rooms = rooms;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * Starts the lease of a node. The node is alive and reads the record formats of this
	 * build, but its rows are not confirmed until it {@linkplain #renew renews} the
	 * lease.
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
	 * Renews the lease of a node.
	 * @param confirmedAt the time at which all rows of the node were correct, or null to
	 * keep the previous time
	 * @return false if there is no lease to renew, because another node has
	 * {@linkplain #remove removed} the rows of this one: it must call {@link #begin} and
	 * write them again
	 */
	public boolean renew(String node, @Nullable Instant confirmedAt, Instant expiresAt) {
		return this.jdbc.update("""
				UPDATE node_lease SET expires_at = ?, renewed_at = COALESCE(?, renewed_at)
				WHERE node = ? AND expires_at > ?""", UtcTime.of(expiresAt),
				(confirmedAt != null) ? UtcTime.of(confirmedAt) : null, node, ENDED) > 0;
	}

	/**
	 * Ends the lease of a node. Its rows no longer count and remain until
	 * {@link #remove}. The record formats that it reads are cleared, because an older
	 * build may start under its name.
	 */
	public void end(String node) {
		this.jdbc.update(
				"UPDATE node_lease SET expires_at = ?, renewed_at = NULL, record_version = NULL WHERE node = ?", ENDED,
				node);
	}

	/** Returns when the lease of each node expires. */
	public Map<String, Instant> leases() {
		Map<String, Instant> leases = new HashMap<>();
		this.jdbc.query("SELECT node, expires_at FROM node_lease", (row) -> {
			leases.put(row.getString("node"), UtcTime.read(row, "expires_at"));
		});
		return leases;
	}

	/**
	 * The result of one call of {@link #remove}.
	 *
	 * @param changed users who were connected to that node, and whom others now see in
	 * another state
	 * @param more whether there may be more to remove
	 */
	public record Removed(Map<String, PresenceState> changed, boolean more) {
	}

	/**
	 * Removes some of the rows of a node that has died, and its lease if no row is left.
	 * Does nothing if the node has renewed its lease.
	 * @param expiresAt when its lease expires, as returned by {@link #leases}
	 */
	public Removed remove(String node, Instant expiresAt) {
		Map<String, UserNodes> before = new HashMap<>();
		boolean more = Boolean.TRUE.equals(this.transaction.execute((status) -> {
			// Locks the lease: if the node is back, it waits here and then finds its
			// lease revoked.
			if (this.jdbc.update("UPDATE node_lease SET expires_at = ? WHERE node = ? AND expires_at IN (?, ?)", ENDED,
					node, UtcTime.of(expiresAt), ENDED) == 0) {
				return false;
			}
			List<String> users = usersOf(node, "", REMOVED_USERS);
			if (!users.isEmpty()) {
				before.putAll(nodesOf(users));
				delete(node, users);
				return true;
			}
			if (this.rooms.clearSome(node)) {
				return true;
			}
			this.jdbc.update("DELETE FROM node_lease WHERE node = ?", node);
			return false;
		}));
		return new Removed(changed(node, before.keySet(), before), more);
	}

	/**
	 * Stores that these users are connected to the node, or away there. Some of them may
	 * be stored already.
	 * @param users whether each of them is away on that node
	 * @return those whom others now see in another state
	 */
	public Map<String, PresenceState> online(String node, Map<String, Boolean> users) {
		Map<String, PresenceState> changed = new HashMap<>();
		for (List<String> chunk : Chunks.of(users.keySet())) {
			Map<String, UserNodes> before = nodesOf(chunk);
			List<String> own = new ArrayList<>();
			List<String> replaced = new ArrayList<>();
			List<Object[]> inserted = new ArrayList<>();
			for (String user : chunk) {
				boolean away = Boolean.TRUE.equals(users.get(user));
				PresenceState present = before.getOrDefault(user, UserNodes.NONE).on(node);
				if (present != PresenceState.of(away)) {
					own.add(user);
					inserted.add(new Object[] { away, node, user });
					if (present.isConnected()) {
						replaced.add(user);
					}
				}
			}
			this.transaction.executeWithoutResult((status) -> {
				delete(node, replaced);
				this.jdbc.batchUpdate("INSERT INTO node_presence (away, node, username) VALUES (?, ?, ?)", inserted);
			});
			changed.putAll(changed(node, own, before));
		}
		return changed;
	}

	/**
	 * Stores that these users are no longer connected to the node.
	 * @return those who were connected to it, and whom others now see in another state
	 */
	public Map<String, PresenceState> offline(String node, Collection<String> usernames) {
		Map<String, PresenceState> changed = new HashMap<>();
		for (List<String> chunk : Chunks.of(new LinkedHashSet<>(usernames))) {
			Map<String, UserNodes> before = nodesOf(chunk);
			List<String> own = chunk.stream()
				.filter((user) -> before.getOrDefault(user, UserNodes.NONE).on(node).isConnected())
				.toList();
			this.transaction.executeWithoutResult((status) -> delete(node, own));
			changed.putAll(changed(node, own, before));
		}
		return changed;
	}

	/**
	 * Returns those of the users whom others must be told about after the node has
	 * changed its rows, because other nodes may have changed theirs in the meantime, in
	 * any order. A user is left out only if rows that were there all the time make the
	 * state what it was: so the last node that changes a row always reports the user.
	 * @param own the users whose rows were changed
	 * @param before the rows of the users before the change
	 */
	private Map<String, PresenceState> changed(String node, Collection<String> own, Map<String, UserNodes> before) {
		Map<String, PresenceState> changed = new HashMap<>();
		Map<String, UserNodes> after = nodesOf(own);
		own.forEach((user) -> {
			UserNodes earlier = before.getOrDefault(user, UserNodes.NONE);
			UserNodes now = after.getOrDefault(user, UserNodes.NONE);
			boolean same = earlier.state() == now.state()
					&& now.state() == earlier.without(node).sharedWith(now).state();
			if (!same) {
				changed.put(user, now.state());
			}
		});
		return changed;
	}

	/**
	 * Returns a page of the users who are connected to the node, ordered by name.
	 * @param after the last name of the previous page, or "" for the first page
	 */
	public List<String> usersOf(String node, String after, int limit) {
		return this.jdbc.queryForList(
				"SELECT username FROM node_presence WHERE node = ? AND username > ? ORDER BY username LIMIT ?",
				String.class, node, after, limit);
	}

	/**
	 * Returns the nodes of each user, alive or not: each of them has reported the user.
	 */
	private Map<String, UserNodes> nodesOf(Collection<String> usernames) {
		Map<String, UserNodes> nodes = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			this.jdbc.query(
					"SELECT username, node, away FROM node_presence WHERE username IN " + Chunks.placeholders(chunk),
					(row) -> {
						nodes.merge(row.getString(1),
								UserNodes.of(row.getString(2), PresenceState.of(row.getBoolean(3))), UserNodes::and);
					}, chunk.toArray());
		}
		return nodes;
	}

	private void delete(String node, Collection<String> usernames) {
		this.jdbc.batchUpdate("DELETE FROM node_presence WHERE node = ? AND username = ?",
				usernames.stream().map((username) -> new Object[] { node, username }).toList());
	}

	/** Returns the live nodes except this one, ordered by name. */
	public List<String> otherLiveNodes(String node, Instant now) {
		return this.jdbc.queryForList("SELECT node FROM node_lease WHERE expires_at > ? AND node <> ? ORDER BY node",
				String.class, UtcTime.of(now), node);
	}

	/** Returns those of the users who are connected to live nodes, and their nodes. */
	public Map<String, UserNodes> onlineAmong(Collection<String> usernames, Instant now) {
		Map<String, UserNodes> online = new HashMap<>();
		for (List<String> chunk : Chunks.of(usernames)) {
			List<Object> arguments = new ArrayList<>(chunk);
			arguments.addFirst(UtcTime.of(now));
			this.jdbc.query("""
					SELECT p.username, p.node, p.away FROM node_presence p JOIN node_lease l ON l.node = p.node
					WHERE l.expires_at > ? AND p.username IN\s""" + Chunks.placeholders(chunk), (row) -> {
				online.merge(row.getString(1), UserNodes.of(row.getString(2), PresenceState.of(row.getBoolean(3))),
						UserNodes::and);
			}, arguments.toArray());
		}
		return online;
	}

}
