package io.parley.store.presence;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.parley.store.Chunks;
import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Who is connected to which node. Each node writes its own rows only, and keeps them true
 * by a lease: what a node that died has left behind counts no more once its lease is
 * over.
 */
public class NodePresence {

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	NodePresence(JdbcTemplate jdbc, PlatformTransactionManager transactionManager) {
		this.jdbc = jdbc;
		this.transaction = new TransactionTemplate(transactionManager);
	}

	/**
	 * The node is alive for that long, unless it renews again.
	 * @param now when all that it has written was true
	 */
	public void renew(String node, Instant now, Duration lease) {
		Object[] values = { UtcTime.of(now.plus(lease)), UtcTime.of(now), node };
		this.transaction.executeWithoutResult((status) -> {
			if (this.jdbc.update("UPDATE node_lease SET expires_at = ?, renewed_at = ? WHERE node = ?", values) == 0) {
				this.jdbc.update("INSERT INTO node_lease (expires_at, renewed_at, node) VALUES (?, ?, ?)", values);
			}
		});
	}

	/** These users are connected to the node; some of them may have been already. */
	public void online(String node, Collection<String> usernames) {
		this.transaction.executeWithoutResult((status) -> {
			Set<String> absent = new HashSet<>(usernames);
			Chunks.of(usernames).forEach((chunk) -> absent.removeAll(present(node, chunk)));
			this.jdbc.batchUpdate("INSERT INTO node_presence (node, username) VALUES (?, ?)", rows(node, absent));
		});
	}

	private List<String> present(String node, List<String> usernames) {
		List<Object> arguments = new ArrayList<>(usernames);
		arguments.addFirst(node);
		return this.jdbc.queryForList(
				"SELECT username FROM node_presence WHERE node = ? AND username IN " + Chunks.places(usernames),
				String.class, arguments.toArray());
	}

	/** These users are connected to the node no more. */
	public void offline(String node, Collection<String> usernames) {
		this.transaction.executeWithoutResult((status) -> this.jdbc
			.batchUpdate("DELETE FROM node_presence WHERE node = ? AND username = ?", rows(node, usernames)));
	}

	private static List<Object[]> rows(String node, Collection<String> usernames) {
		return usernames.stream().map((username) -> new Object[] { node, username }).toList();
	}

	/** Nobody is connected to the node, which gives up its lease. */
	public void clear(String node) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("DELETE FROM node_presence WHERE node = ?", node);
			this.jdbc.update("DELETE FROM node_lease WHERE node = ?", node);
		});
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
