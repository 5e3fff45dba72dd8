package io.parley.server.worker;

import io.parley.log.health.ReaderMetrics;
import io.parley.notification.NotificationWorker;
import io.parley.notification.NotificationWorkerConfiguration;
import io.parley.persistence.PersistenceWorker;
import io.parley.persistence.PersistenceWorkerConfiguration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** Runs the workers in this JVM, so that no other process has to be started. */
@Configuration
@Conditional(InProcessCondition.class)
@Import({ PersistenceWorkerConfiguration.class, NotificationWorkerConfiguration.class })
class InProcessWorkers {

	@Bean
	ReaderMetrics persistenceMetrics(PersistenceWorker worker) {
		return new ReaderMetrics(worker);
	}

	@Bean
	ReaderMetrics notificationMetrics(NotificationWorker worker) {
		return new ReaderMetrics(worker);
	}

}
