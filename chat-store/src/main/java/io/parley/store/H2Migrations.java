package io.parley.store;

import java.sql.Connection;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;

import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/**
 * Lets Flyway open connections of its own to H2: it needs two at once, which the pool may
 * not have. Nobody else writes during the migrations.
 */
class H2Migrations implements FlywayConfigurationCustomizer {

	@Override
	public void customize(FluentConfiguration configuration) {
		HikariDataSource pool = DataSourceUnwrapper.unwrap(configuration.getDataSource(), HikariConfigMXBean.class,
				HikariDataSource.class);
		if (pool != null && DataSourceDefaults.isH2(pool)) {
			keepOpen(pool);
			configuration.dataSource(pool.getJdbcUrl(), pool.getUsername(), pool.getPassword());
		}
	}

	/** The pool keeps its connection, and so a database in memory stays. */
	private static void keepOpen(HikariDataSource pool) {
		try (Connection connection = pool.getConnection()) {
			connection.isValid(0);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("H2 can't be opened: " + ex.getMessage(), ex);
		}
	}

}
