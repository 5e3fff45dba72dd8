package io.parley.persistence;

import javax.sql.DataSource;

import io.parley.log.RoomLog;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** The smallest application with a store, whose database can be taken away. */
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

	/** A log in the place of the one that the settings name. */
	static class SharedLog {

		@Bean
		RoomLog roomLog(PersistenceFixture fixture) {
			return fixture.log();
		}

	}

	/** The beans that a deployable gets. */
	@Import({ PersistenceWorkerConfiguration.class, SharedLog.class })
	static class Hosting {

	}

}
