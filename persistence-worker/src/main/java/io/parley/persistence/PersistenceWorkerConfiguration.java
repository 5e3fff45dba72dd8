package io.parley.persistence;

import java.util.List;

import java.time.Duration;

import io.parley.log.RoomLog;
import io.parley.log.config.LogProperties;
import io.parley.log.config.LogProperties.Backend;
import io.parley.log.worker.ReaderSettings;
import io.parley.store.event.RoomEventRepository;
import io.parley.store.log.LogEpochs;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.log.WrittenFormat;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * To be imported by whoever hosts the worker: needs a {@link RoomLog} and the store, and
 * tells every {@link PersistenceListener} that it finds.
 */
@Configuration(proxyBeanMethods = false)
public class PersistenceWorkerConfiguration {

	/** History does not wait for the rows: it has the tail. */
	private static final Duration GATHER = Duration.ofSeconds(1);

	/** A log elsewhere can be lost alone, and then the rows are all that is left. */
	private static final Duration GATHER_FROM_ELSEWHERE = Duration.ofMillis(200);

	@Bean
	PersistenceWorker persistenceWorker(RoomLog log, LogProperties properties, EventWriter writer,
			ApplicationEventPublisher events) {
		Duration gather = (properties.backend() == Backend.EMBEDDED) ? GATHER : GATHER_FROM_ELSEWHERE;
		return new PersistenceWorker(log, writer, ReaderSettings.of(PersistenceWorker.MAX_BATCH).gathering(gather),
				events);
	}

	@Bean
	EventWriter eventWriter(RoomLog log, WrittenFormat format, LogEpochs epochs, ReaderOffsets offsets,
			ParkedEvents parked, RoomEventRepository events, JdbcTemplate jdbc, PlatformTransactionManager transactions,
			ObjectProvider<PersistenceListener> listeners) {
		format.current();
		long epoch = epochs.current(log);
		List<PersistenceListener> all = listeners.orderedStream().toList();
		return new EventWriter(new TransactionTemplate(transactions),
				new BatchTransaction(offsets, parked, new EventTables(jdbc), epoch), offsets, events, epoch,
				(partition, next) -> all.forEach((listener) -> listener.onPersisted(partition, next)));
	}

}
