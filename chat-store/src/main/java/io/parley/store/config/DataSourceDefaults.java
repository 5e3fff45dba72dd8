package io.parley.store.config;

import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Sets the properties of the connection pool and of Connector/J that the store needs.
 *
 * <p>
 * <b>H2</b> gets one connection, whatever the configuration says, unless the database is
 * in memory. When H2 saves, it writes its tables and its undo logs one after the other,
 * while other connections may write. If the process is killed then, half a transaction
 * can remain in the file. With one connection there are no other writers. See decision
 * 0012.
 *
 * <p>
 * <b>MySQL</b> gets these settings, unless the URL contains them:
 * <ul>
 * <li>{@code rewriteBatchedStatements}: sends a batch as one statement, not with one
 * round trip for each row.
 * <li>{@code connectionTimeZone}: writes times in UTC, whatever the time zone of this
 * machine.
 * <li>{@code readOnlyPropagatesToServer}: does not tell the server that a transaction
 * only reads, which takes a round trip before and one after it.
 * <li>{@code connectTimeout}, {@code socketTimeout}: give up a server that no longer
 * answers, so that the batch is retried on another connection. The socket timeout is
 * longer than the 50 s for which the server waits for a lock.
 * </ul>
 * When the application starts, the first connection is tried for 10 s, however short the
 * connection timeout of requests is.
 */
class DataSourceDefaults implements BeanPostProcessor {

	private static final Map<String, String> MYSQL = Map.of("rewriteBatchedStatements", "true", "connectionTimeZone",
			"UTC", "readOnlyPropagatesToServer", "false", "connectTimeout", "10000", "socketTimeout", "90000");

	private static final long START_MILLIS = 10_000;

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource pool && isH2(pool) && !hasUrl(pool, "jdbc:h2:mem:")) {
			pool.setMaximumPoolSize(1);
			pool.setMaxLifetime(0);
		}
		else if (bean instanceof HikariDataSource pool && hasUrl(pool, "jdbc:mysql:")) {
			MYSQL.forEach((setting, value) -> setUnlessInUrl(pool, setting, value));
			// 0 and less mean that the application starts without the database.
			if (pool.getInitializationFailTimeout() > 0) {
				pool.setInitializationFailTimeout(Math.max(START_MILLIS, pool.getInitializationFailTimeout()));
			}
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
