package io.parley.store;

import java.util.Map;

import com.zaxxer.hikari.HikariDataSource;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Sets what the store needs from Connector/J. A setting that is in the URL wins.
 * <ul>
 * <li>{@code rewriteBatchedStatements}: a batch is one statement, not one round trip for
 * each row.
 * <li>{@code connectionTimeZone}: times are written in UTC wherever this runs.
 * <li>{@code connectTimeout}, {@code socketTimeout}: a server that went silent is given
 * up, so that the batch is tried again on another connection. Longer than the 50 s that
 * the server waits for a lock.
 * </ul>
 */
class MySqlDefaults implements BeanPostProcessor {

	private static final Map<String, String> DEFAULTS = Map.of("rewriteBatchedStatements", "true", "connectionTimeZone",
			"UTC", "connectTimeout", "10000", "socketTimeout", "90000");

	@Override
	public Object postProcessBeforeInitialization(Object bean, String name) {
		if (bean instanceof HikariDataSource dataSource && isMySql(dataSource.getJdbcUrl())) {
			DEFAULTS.forEach((setting, value) -> setUnlessInUrl(dataSource, setting, value));
		}
		return bean;
	}

	private static boolean isMySql(@Nullable String url) {
		return url != null && url.startsWith("jdbc:mysql:");
	}

	private static void setUnlessInUrl(HikariDataSource dataSource, String setting, String value) {
		if (!dataSource.getJdbcUrl().contains(setting + "=")) {
			dataSource.getDataSourceProperties().putIfAbsent(setting, value);
		}
	}

}
