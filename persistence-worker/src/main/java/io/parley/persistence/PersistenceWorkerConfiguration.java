package io.parley.persistence;

import java.time.Duration;
import java.util.List;

import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;
import io.parley.trace.MessageTracer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Configures the worker, for import by the application that hosts it. Needs a
 * {@link RoomLog} and the store, and notifies all {@link PersistenceListener} beans.
 */
@Configuration(proxyBeanMethods = false)
public class PersistenceWorkerConfiguration {

	/**
	 * Long, because requests for history do not wait for the rows: they read the tail.
	 */
	private static final Duration GATHER = Duration.ofSeconds(1);

	/**
	 * Shorter, because a log outside of this process can be lost alone, and then only the
	 * rows are left.
	 */
	private static final Duration GATHER_EXTERNAL_LOG = Duration.ofMillis(200);

	@Bean
	PersistenceWorker persistenceWorker(RoomLog log, LogProperties properties, EventWriter writer,
			ApplicationEventPublisher events) {
		Duration gather = (properties.backend() == Backend.EMBEDDED) ? GATHER : GATHER_EXTERNAL_LOG;
		return new PersistenceWorker(log, writer, ReaderSettings.of(PersistenceWorker.MAX_BATCH).gathering(gather),
				events);
	}

	@Bean
	EventWriter eventWriter(RoomLog log, WrittenFormat format, LogEpochs epochs, ReaderOffsets offsets,
			ParkedEvents parked, RoomEventRepository events, JdbcTemplate jdbc, PlatformTransactionManager transactions,
			ObjectProvider<PersistenceListener> listeners, MessageTracer traces) {
		format.current();
		long epoch = epochs.current(log);
		List<PersistenceListener> all = listeners.orderedStream().toList();
		return new EventWriter(new TransactionTemplate(transactions),
				new BatchTransaction(offsets, parked, new EventTables(jdbc), epoch), offsets, events, epoch,
				(partition, next) -> all.forEach((listener) -> listener.onPersisted(partition, next)), traces);
	}

}
