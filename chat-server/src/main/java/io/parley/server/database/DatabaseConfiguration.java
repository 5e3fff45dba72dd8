package io.parley.server.database;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextRefreshedEvent;

/** Wraps the connection pool of this server in a {@link StatementTimeoutDataSource}. */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

	@Bean
	static Impatience impatience() {
		return new Impatience();
	}

	static class Impatience implements BeanPostProcessor, ApplicationListener<ContextRefreshedEvent> {

		private @Nullable StatementTimeoutDataSource dataSource;

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			if (bean instanceof DataSource pool && !(bean instanceof StatementTimeoutDataSource)) {
				this.dataSource = new StatementTimeoutDataSource(pool);
				return this.dataSource;
			}
			return bean;
		}

		@Override
		public void onApplicationEvent(ContextRefreshedEvent event) {
			if (this.dataSource != null) {
				this.dataSource.enableTimeout();
			}
		}

	}

}
