package io.parley.store.config;

import java.sql.Connection;
import java.sql.SQLException;

import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import org.flywaydb.core.api.configuration.FluentConfiguration;

import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/**
 * Lets Flyway open its own connections to H2. Flyway needs two at once, and the pool may
 * have only one. There are no other writers during the migrations.
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

	/**
	 * Makes the pool open its connection and keep it, so that a database in memory is not
	 * dropped.
	 */
	private static void keepOpen(HikariDataSource pool) {
		try (Connection connection = pool.getConnection()) {
			connection.isValid(0);
		}
		catch (SQLException ex) {
			throw new IllegalStateException("H2 can't be opened: " + ex.getMessage(), ex);
		}
	}

}
