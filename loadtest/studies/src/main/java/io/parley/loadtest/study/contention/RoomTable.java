package io.parley.loadtest.study.contention;

import java.util.List;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Rooms with places and their members, in a database accessed through a connection pool.
 */
final class RoomTable implements AutoCloseable {

	private static final int POOL = 16;

	private final HikariDataSource pool;

	private final JdbcClient jdbc;

	private final JdbcTransactionManager transactions;

	RoomTable(String url, String username, String password) {
		HikariConfig configuration = new HikariConfig();
		configuration.setJdbcUrl(url);
		configuration.setUsername(username);
		configuration.setPassword(password);
		configuration.setMaximumPoolSize(POOL);
		this.pool = new HikariDataSource(configuration);
		this.jdbc = JdbcClient.create(this.pool);
		this.transactions = new JdbcTransactionManager(this.pool);
		this.transactions.setRollbackOnCommitFailure(true);
		update("CREATE TABLE IF NOT EXISTS contention_room (id VARCHAR(64) PRIMARY KEY, places INT NOT NULL,"
				+ " member_count INT NOT NULL)");
		update("CREATE TABLE IF NOT EXISTS contention_member (room_id VARCHAR(64) NOT NULL,"
				+ " username VARCHAR(64) NOT NULL, PRIMARY KEY (room_id, username))");
	}

	void create(String room, int places) {
		update("INSERT INTO contention_room (id, places, member_count) VALUES (?, ?, 0)", room, places);
	}

	/**
	 * Checks for a free place and takes it. Without a lock or a strict isolation level
	 * this is only correct if no other request does so concurrently.
	 * @param isolation of the transaction, as in {@link TransactionDefinition}
	 * @param locks whether the check locks the row of the room
	 * @return false when the room is full
	 */
	boolean join(String room, String user, int isolation, boolean locks) {
		TransactionTemplate transaction = new TransactionTemplate(this.transactions);
		transaction.setIsolationLevel(isolation);
		return transaction.execute((status) -> {
			boolean free = this.jdbc
				.sql("SELECT places, member_count FROM contention_room WHERE id = ?" + (locks ? " FOR UPDATE" : ""))
				.param(room)
				.query((row, n) -> row.getInt("member_count") < row.getInt("places"))
				.single();
			if (free) {
				enter(room, user);
			}
			return free;
		});
	}

	void enter(String room, String user) {
		update("INSERT INTO contention_member (room_id, username) VALUES (?, ?)", room, user);
		update("UPDATE contention_room SET member_count = member_count + 1 WHERE id = ?", room);
	}

	List<String> members(String room) {
		return this.jdbc.sql("SELECT username FROM contention_member WHERE room_id = ?")
			.param(room)
			.query((row, n) -> row.getString(1))
			.list();
	}

	private void update(String sql, Object... values) {
		this.jdbc.sql(sql).params(values).update();
	}

	@Override
	public void close() {
		update("DROP TABLE contention_member");
		update("DROP TABLE contention_room");
		this.pool.close();
	}

}
