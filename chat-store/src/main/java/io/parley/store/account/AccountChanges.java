package io.parley.store.account;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

import io.parley.store.UtcTime;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Reads which accounts have changed. Each server asks twice a second, and with JPA that
 * took 18 % of the processor time of an idle server. Safe for use by many threads.
 */
public class AccountChanges {

	private final JdbcTemplate jdbc;

	AccountChanges(JdbcTemplate jdbc) {
		this.jdbc = jdbc;
	}

	/**
	 * Returns the accounts whose state or operator flag changed at or after that time.
	 */
	public List<AccountStatus> since(Instant time) {
		return this.jdbc.query("SELECT username, state, is_operator, changed_at FROM account WHERE changed_at >= ?",
				(row, index) -> read(row), UtcTime.of(time));
	}

	private static AccountStatus read(ResultSet row) throws SQLException {
		return new AccountStatus(row.getString("username"), AccountState.ofWireName(row.getString("state")),
				row.getBoolean("is_operator"), UtcTime.read(row, "changed_at"));
	}

}
