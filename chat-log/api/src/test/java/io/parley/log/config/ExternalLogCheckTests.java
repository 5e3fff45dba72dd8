package io.parley.log.config;

import io.parley.log.LogUnavailableException;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.weaving.LoadTimeWeaverAware;
import org.springframework.instrument.classloading.LoadTimeWeaver;

import static org.assertj.core.api.Assertions.assertThat;

class ExternalLogCheckTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Store.class,
			ExternalLogCheck.class);

	@Test
	void refusesTheEmbeddedLogBeforeABeanIsCreated() {
		this.runner.withPropertyValues("chat.log.backend=embedded").run((context) -> assertRefused(context));
	}

	@Test
	void refusesTheDefault() {
		this.runner.run((context) -> assertRefused(context));
	}

	@Test
	void acceptsALogOutsideOfTheProcess() {
		for (String backend : new String[] { "rabbitmq", "kafka" }) {
			this.runner.withPropertyValues("chat.log.backend=" + backend)
				.run((context) -> assertThat(context).getFailure().rootCause().hasMessage("The database is opened"));
		}
	}

	private static void assertRefused(AssertableApplicationContext context) {
		assertThat(context).getFailure()
			.isInstanceOf(LogUnavailableException.class)
			.hasMessageContaining("chat.log.backend=rabbitmq or kafka");
	}

	static class Store {

		@Bean
		EntityManagers entityManagers() {
			return new EntityManagers();
		}

	}

	/** Like JPA's factory, created before the other beans. */
	static class EntityManagers implements InitializingBean, LoadTimeWeaverAware {

		@Override
		public void setLoadTimeWeaver(LoadTimeWeaver weaver) {
		}

		@Override
		public void afterPropertiesSet() {
			throw new IllegalStateException("The database is opened");
		}

	}

}
