package io.parley.store;

import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Sets what the store needs from the connection pool and from Connector/J.
 *
 * <p>
 * <b>H2</b> gets one connection, whatever the configuration says. When H2 saves, it takes
 * its tables and its undo logs one after the other, while other connections may write. A
 * process that is killed then can leave half a transaction in the file. With one
 * connection nobody writes meanwhile. See decision 0012.
 *
 * <p>
 * <b>MySQL</b> gets these settings, unless they are in the URL:
 * <ul>
 * <li>{@code rewriteBatchedStatements}: a batch is one statement, not one round trip for
 * each row.
 * <li>{@code connectionTimeZone}: times are written in UTC wherever this runs.
 * <li>{@code connectTimeout}, {@code socketTimeout}: a server that went silent is given
 * up, so that the batch is tried again on another connection. Longer than the 50 s that
 * the server waits for a lock.
 * </ul>
 */
class DataSourceDefaults implements BeanPostProcessor {

	private static final Map<String, String> MYSQL = Map.of("rewriteBatchedStatements", "true", "connectionTimeZone",
			"UTC", "connectTimeout", "10000", "socketTimeout", "90000");

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool && isH2(pool) && !hasUrl(pool, "jdbc:h2:mem:")) {
			pool.setMaximumPoolSize(1);
			pool.setMaxLifetime(0);
		}
		else if (bean instanceof HikariDataSource pool && hasUrl(pool, "jdbc:mysql:")) {
			MYSQL.forEach((setting, value) -> setUnlessInUrl(pool, setting, value));
		}
		return bean;
	}

	static boolean isH2(HikariDataSource pool) {
		return hasUrl(pool, "jdbc:h2:");
	}

	private static boolean hasUrl(HikariDataSource pool, String prefix) {
		return pool.getJdbcUrl() != null && pool.getJdbcUrl().startsWith(prefix);
	}

	private static void setUnlessInUrl(HikariDataSource pool, String setting, String value) {
		if (!pool.getJdbcUrl().contains(setting + "=")) {
			pool.getDataSourceProperties().putIfAbsent(setting, value);
		}
	}

}
