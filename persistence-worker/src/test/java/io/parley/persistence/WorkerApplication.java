package io.parley.persistence;

import javax.sql.DataSource;

import io.parley.log.RoomLog;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** A minimal application with the store, whose database can fail on request. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(PersistenceFixture.class)
class WorkerApplication {

	@Bean
	static BeanPostProcessor outages() {
		return new BeanPostProcessor() {

			@Override
			public Object postProcessAfterInitialization(Object bean, String name) {
				return (bean instanceof DataSource dataSource) ? new FailingDataSource(dataSource) : bean;
			}

		};
	}

	/** Provides a log instead of the configured one. */
	static class SharedLog {

		@Bean
		RoomLog roomLog(PersistenceFixture fixture) {
			return fixture.log();
		}

	}

	/** The beans of a deployable. */
	@Import({ PersistenceWorkerConfiguration.class, SharedLog.class })
	static class Hosting {

	}

}
