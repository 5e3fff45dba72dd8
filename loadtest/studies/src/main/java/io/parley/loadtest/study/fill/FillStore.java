package io.parley.loadtest.study.fill;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.study.fill.RoomFill.Row;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The tables of the store, on one connection. Not safe for concurrent use.
 */
final class FillStore implements AutoCloseable {

	private static final String INSERT = """
			INSERT INTO room_event
			(room_id, position, prev, number, type, event_id, sender, client_id, sent_at, body)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""";

	/** H2's code for a file that another process has open. */
	private static final int IN_USE = 90020;

	private final Connection connection;

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final boolean mysql;

	/**
	 * A room that can be filled.
	 *
	 * @param head the position of its last event; 0 without events
	 * @param numbered the number of its messages
	 */
	record Room(String id, List<String> members, long head, long numbered) {
	}

	private record Log(long epoch, int partitions) {
	}

	/**
	 * Opens the database.
	 * @throws LoadTestException when it cannot be opened, a server uses it, or no server
	 * has ever used it
	 */
	FillStore(String url, String username, String password) {
		this.mysql = url.startsWith("jdbc:mysql:");
		this.connection = connect(url, username, password);
		SingleConnectionDataSource connections = new SingleConnectionDataSource(this.connection, true);
		this.jdbc = new JdbcTemplate(connections);
		this.transaction = new TransactionTemplate(new JdbcTransactionManager(connections));
		try {
			requireStopped();
		}
		catch (LoadTestException ex) {
			close();
			throw ex;
		}
	}

	private static Connection connect(String url, String username, String password) {
		Properties properties = new Properties();
		properties.setProperty("user", username);
		properties.setProperty("password", password);
		boolean h2 = url.startsWith("jdbc:h2:");
		if (!h2) {
			properties.setProperty("rewriteBatchedStatements", "true");
			properties.setProperty("connectionTimeZone", "UTC");
		}
		try {
			return DriverManager.getConnection(h2 ? url + ";IFEXISTS=TRUE" : url, properties);
		}
		catch (SQLException ex) {
			throw new LoadTestException((ex.getErrorCode() == IN_USE)
					? "A server uses the database %s: stop it first.".formatted(url)
					: "The database %s cannot be opened (%s): start the server once, and pass the same --datasource-url, --username and --password."
						.formatted(url, ex.getMessage()));
		}
	}

	/**
	 * A server on H2 has locked the file; one on MySQL has renewed its lease.
	 */
	private void requireStopped() {
		try {
			Long live = this.mysql ? this.jdbc.queryForObject("SELECT COUNT(*) FROM node_lease WHERE expires_at > ?",
					Long.class, now()) : Long.valueOf(0);
			if (live != null && live > 0) {
				throw new LoadTestException(
						"A server uses the database, or did until some seconds ago: stop it, and" + " wait 20 s.");
			}
			Long logs = this.jdbc.queryForObject("SELECT COUNT(*) FROM log_epoch", Long.class);
			if (logs == null || logs == 0) {
				throw new LoadTestException("No server has used this database yet: start one, and create rooms.");
			}
		}
		catch (DataAccessException ex) {
			throw new LoadTestException("The database has not the tables of this version (%s): start the server once."
				.formatted(ex.getMostSpecificCause().getMessage()));
		}
	}

	private static LocalDateTime now() {
		return LocalDateTime.now(ZoneOffset.UTC);
	}

	/**
	 * Returns the rooms in the order of their keys.
	 */
	List<Room> rooms() {
		Map<String, List<String>> members = new HashMap<>();
		this.jdbc.query("SELECT room_id, username FROM room_member", (row) -> {
			members.computeIfAbsent(row.getString(1), (room) -> new ArrayList<>()).add(row.getString(2));
		});
		return this.jdbc.query("""
				SELECT r.id, h.last_position, h.last_number FROM room r LEFT JOIN room_head h ON h.room_id = r.id
				ORDER BY r.id""", (row, n) -> new Room(row.getString(1),
				members.getOrDefault(row.getString(1), List.of()), row.getLong(2), row.getLong(3)));
	}

	/**
	 * Begins an epoch for the new positions, as if the messages came from another log.
	 * The server then finds a log that is not the newest, begins the next epoch, and
	 * continues after the records that it has stored from its log.
	 */
	long beginEpoch() {
		Log newest = this.jdbc
			.query("SELECT epoch, partitions FROM log_epoch ORDER BY epoch DESC LIMIT 1",
					(row, n) -> new Log(row.getLong(1), row.getInt(2)))
			.getFirst();
		long epoch = newest.epoch + 1;
		this.jdbc.update("INSERT INTO log_epoch (epoch, log_id, partitions, since) VALUES (?, ?, ?, ?)", epoch,
				"fill-" + UUID.randomUUID(), newest.partitions, now());
		return epoch;
	}

	/**
	 * Writes rows and the new head of their room in one transaction.
	 */
	void write(Room room, List<Row> rows) {
		Row last = rows.getLast();
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.batchUpdate(INSERT, rows, 1_000, FillStore::set);
			if (this.jdbc.update("UPDATE room_head SET last_position = ?, last_number = ? WHERE room_id = ?",
					last.position(), last.number(), room.id()) == 0) {
				this.jdbc.update("INSERT INTO room_head (last_position, last_number, room_id) VALUES (?, ?, ?)",
						last.position(), last.number(), room.id());
			}
		});
	}

	private static void set(PreparedStatement insert, Row row) throws SQLException {
		insert.setString(1, row.event().room());
		insert.setLong(2, row.position());
		insert.setLong(3, row.prev());
		insert.setLong(4, row.number());
		insert.setString(5, row.event().type().wireName());
		insert.setString(6, row.event().id());
		insert.setString(7, row.event().sender());
		insert.setString(8, row.event().clientId());
		insert.setObject(9, LocalDateTime.ofInstant(row.event().sentAt(), ZoneOffset.UTC));
		insert.setString(10, row.body());
	}

	/**
	 * Sets the read markers of all members to the head of the room.
	 */
	void markRead(String room) {
		this.transaction.executeWithoutResult((status) -> {
			this.jdbc.update("DELETE FROM read_marker WHERE room_id = ?", room);
			this.jdbc.update("""
					INSERT INTO read_marker (room_id, username, position)
					SELECT m.room_id, m.username, h.last_position
					FROM room_member m JOIN room_head h ON h.room_id = m.room_id WHERE m.room_id = ?""", room);
		});
	}

	@Override
	public void close() {
		try {
			this.connection.close();
		}
		catch (SQLException ex) {
			throw new LoadTestException("The database could not be closed: " + ex.getMessage());
		}
	}

}
