package io.parley.loadtest.study.contention;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/**
 * Rooms with places and their members, in a database accessed through a connection pool.
 */
final class RoomTable implements AutoCloseable {

	/**
	 * The pool size of the chat-server.
	 */
	private static final int POOL = 16;

	private static final List<String> TABLES = List.of(
			"CREATE TABLE IF NOT EXISTS contention_room (id VARCHAR(64) PRIMARY KEY, places INT NOT NULL,"
					+ " member_count INT NOT NULL)",
			"CREATE TABLE IF NOT EXISTS contention_member (room_id VARCHAR(64) NOT NULL, username VARCHAR(64) NOT NULL,"
					+ " PRIMARY KEY (room_id, username))");

	private static final List<String> END = List.of("DROP TABLE contention_member", "DROP TABLE contention_room");

	private final HikariDataSource pool;

	RoomTable(String url, String username, String password) throws SQLException {
		HikariConfig configuration = new HikariConfig();
		configuration.setJdbcUrl(url);
		configuration.setUsername(username);
		configuration.setPassword(password);
		configuration.setMaximumPoolSize(POOL);
		this.pool = new HikariDataSource(configuration);
		execute(TABLES);
	}

	void create(String room, int places) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			update(connection, "INSERT INTO contention_room (id, places, member_count) VALUES (?, " + places + ", 0)",
					room);
		}
	}

	/**
	 * Checks for a free place and takes it. Without a lock or a strict isolation level
	 * this is only correct if no other request does so concurrently.
	 * @param isolation of the transaction, as in {@link Connection}
	 * @param locks whether the check locks the row of the room
	 * @return false when the room is full
	 */
	boolean join(String room, String user, int isolation, boolean locks) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			connection.setTransactionIsolation(isolation);
			connection.setAutoCommit(false);
			try {
				boolean free = isFree(connection, room, locks);
				if (free) {
					enter(connection, room, user);
				}
				connection.commit();
				return free;
			}
			catch (SQLException ex) {
				connection.rollback();
				throw ex;
			}
		}
	}

	/**
	 * Adds a member without checking for a free place.
	 */
	void enter(String room, String user) throws SQLException {
		try (Connection connection = this.pool.getConnection()) {
			enter(connection, room, user);
		}
	}

	private static void enter(Connection connection, String room, String user) throws SQLException {
		update(connection, "INSERT INTO contention_member (room_id, username) VALUES (?, ?)", room, user);
		update(connection, "UPDATE contention_room SET member_count = member_count + 1 WHERE id = ?", room);
	}

	private static boolean isFree(Connection connection, String room, boolean locks) throws SQLException {
		String look = "SELECT places, member_count FROM contention_room WHERE id = ?" + (locks ? " FOR UPDATE" : "");
		try (PreparedStatement statement = connection.prepareStatement(look)) {
			statement.setString(1, room);
			try (ResultSet row = statement.executeQuery()) {
				if (!row.next()) {
					throw new SQLException("There is no room " + room);
				}
				return row.getInt("member_count") < row.getInt("places");
			}
		}
	}

	List<String> members(String room) throws SQLException {
		try (Connection connection = this.pool.getConnection();
				PreparedStatement statement = connection
					.prepareStatement("SELECT username FROM contention_member WHERE room_id = ?")) {
			statement.setString(1, room);
			List<String> members = new ArrayList<>();
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					members.add(rows.getString(1));
				}
			}
			return members;
		}
	}

	private static void update(Connection connection, String sql, String... values) throws SQLException {
		try (PreparedStatement statement = connection.prepareStatement(sql)) {
			for (int n = 0; n < values.length; n++) {
				statement.setString(n + 1, values[n]);
			}
			statement.executeUpdate();
		}
	}

	private void execute(List<String> statements) throws SQLException {
		try (Connection connection = this.pool.getConnection(); Statement statement = connection.createStatement()) {
			for (String sql : statements) {
				statement.execute(sql);
			}
		}
	}

	@Override
	public void close() throws SQLException {
		execute(END);
		this.pool.close();
	}

}
