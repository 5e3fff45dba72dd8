package io.parley.log.config;

import io.parley.log.LogUnavailableException;
import io.parley.log.config.LogProperties.Backend;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Fails the start of a worker that runs in a process of its own if the configured log is
 * the embedded one. For import by the application of such a worker. It runs before any
 * bean is created, so the failure, a {@link LogUnavailableException}, comes before a
 * connection to the database and before a migration.
 */
public final class ExternalLogCheck implements BeanFactoryPostProcessor {

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Environment environment = beanFactory.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME,
				Environment.class);
		Backend backend = Binder.get(environment).bind("chat.log.backend", Backend.class).orElse(Backend.EMBEDDED);
		if (backend == Backend.EMBEDDED) {
			throw new LogUnavailableException("The embedded log can't be shared between processes: set "
					+ "chat.log.backend=rabbitmq or kafka, or run this worker inside the chat server with "
					+ "chat.workers.in-process=true");
		}
	}

}
