package io.parley.server.delivery;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.events.Destination;
import io.parley.events.EventRecord;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.health.ReaderMetrics;
import io.parley.log.worker.BatchHandler;
import io.parley.log.worker.LogWorker;
import io.parley.log.worker.ReaderSettings;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.broker.BrokerLink;
import io.parley.server.broker.BrokerMessage;
import io.parley.server.timeline.History;
import io.parley.server.timeline.PositionConverter;
import io.parley.server.timeline.PositionedEvent;
import io.parley.store.log.ReaderOffsets;
import org.jspecify.annotations.Nullable;

import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes the log to the broker. One of all servers is active for each partition, so
 * the broker gets the events of a room in order, each at least once. When that server
 * ends, another one continues after the events that are already stored.
 */
class RelayPublisher extends LogWorker implements MeterBinder {

	private static final ReaderSettings SETTINGS = new ReaderSettings(500, Duration.ofSeconds(1),
			Duration.ofMillis(100), Duration.ofSeconds(1));

	RelayPublisher(RoomLog log, History history, PositionConverter positions, ReaderOffsets offsets, BrokerLink link,
			ApplicationEventPublisher events) {
		super("relay", log, new Handler(history, positions, offsets, link), SETTINGS, events);
	}

	@Override
	public void bindTo(MeterRegistry meters) {
		new ReaderMetrics(this).bindTo(meters);
	}

	private record Handler(History history, PositionConverter positions, ReaderOffsets offsets,
			BrokerLink link) implements BatchHandler {

		@Override
		public long nextOffset(int partition) {
			return this.offsets.next(PersistenceWorker.READER, partition, this.positions.epoch());
		}

		@Override
		public @Nullable Instant writtenAt(LogRecord record) {
			return EventRecord.sentAt(record.data());
		}

		@Override
		public void handle(int partition, List<LogRecord> batch) {
			List<PositionedEvent> events = this.history.of(partition, batch);
			if (!events.isEmpty()) {
				this.link.publish(events.stream().map(Handler::message).toList());
			}
		}

		private static BrokerMessage message(PositionedEvent event) {
			return new BrokerMessage(new Destination.RoomTopic(event.room()).toString(), event.position(), event.prev(),
					event.json());
		}

	}

}
