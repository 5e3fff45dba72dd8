package io.parley.persistence;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;

import javax.sql.DataSource;

import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A data source that returns no connections while the database is down. */
class FailingDataSource extends DelegatingDataSource {

	private volatile boolean down;

	FailingDataSource(DataSource target) {
		super(target);
	}

	void down(boolean down) {
		this.down = down;
	}

	@Override
	public Connection getConnection() throws SQLException {
		if (this.down) {
			throw new SQLTransientConnectionException("The database is down");
		}
		return super.getConnection();
	}

}
