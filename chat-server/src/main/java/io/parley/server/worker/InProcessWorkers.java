package io.parley.server.worker;

import java.util.List;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.notification.NotificationWorker;
import io.parley.notification.NotificationWorkerConfiguration;
import io.parley.persistence.PersistenceWorker;
import io.parley.persistence.PersistenceWorkerConfiguration;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** The workers in this JVM: nothing else has to be started. */
@Configuration
@Conditional(InProcessCondition.class)
@Import({ PersistenceWorkerConfiguration.class, NotificationWorkerConfiguration.class })
class InProcessWorkers {

	/** How far each worker is behind the log, in records. */
	@Bean
	MeterBinder readerLag(PersistenceWorker persistence, NotificationWorker notification) {
		return (meters) -> {
			meters.gauge("chat.reader.lag", List.of(Tag.of("reader", "persistence")), persistence,
					PersistenceWorker::lag);
			meters.gauge("chat.reader.lag", List.of(Tag.of("reader", "notification")), notification,
					NotificationWorker::lag);
		};
	}

}
