package io.parley.server.database;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * Wraps the connection pool of this server in a {@link StatementTimeoutDataSource} and a
 * {@link StatementCountDataSource}.
 */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	@Bean
	static StatementTimeouts statementTimeouts(Environment environment) {
		return new StatementTimeouts(Binder.get(environment).bindOrCreate("chat.database", DatabaseProperties.class));
	}

	@Bean
	static MeterBinder statementCounts(StatementTimeouts timeouts) {
		return timeouts.counts;
	}

	static class StatementTimeouts implements BeanPostProcessor, ApplicationListener<ApplicationReadyEvent> {

		private final StatementCounts counts = new StatementCounts();

		private final DatabaseProperties properties;

		private @Nullable StatementTimeoutDataSource dataSource;

		StatementTimeouts(DatabaseProperties properties) {
			this.properties = properties;
		}

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (bean instanceof DataSource pool && !(bean instanceof StatementCountDataSource)) {
				this.dataSource = new StatementTimeoutDataSource(pool, isSingle(pool), this.properties,
						System::nanoTime);
				return new StatementCountDataSource(this.dataSource, this.counts);
			}
			return bean;
		}

		private static boolean isSingle(DataSource pool) {
			return pool instanceof HikariDataSource hikari && hikari.getMaximumPoolSize() == 1;
		}

		@Override
		public void onApplicationEvent(ApplicationReadyEvent event) {
			if (this.dataSource != null) {
				this.dataSource.started();
			}
		}

	}

}
