package io.parley.server.database;

import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Counts the statements of the connections that it hands out. */
final class StatementCountDataSource extends DelegatingDataSource {

	private final StatementCounts counts;

	StatementCountDataSource(DataSource connections, StatementCounts counts) {
		super(connections);
		this.counts = counts;
	}

	@Override
	public Connection getConnection() throws SQLException {
		return this.counts.of(super.getConnection());
	}

}
