package io.parley.log.health;

import java.util.concurrent.TimeUnit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.log.worker.LogWorker;

/** The lag of a worker behind the log, in records and in time. */
public final class ReaderMetrics implements MeterBinder {

	private final LogWorker worker;

	public ReaderMetrics(LogWorker worker) {
		this.worker = worker;
	}

	@Override
	public void bindTo(MeterRegistry meters) {
		Gauge.builder("chat.reader.lag", this.worker, LogWorker::lag)
			.tag("reader", this.worker.name())
			.description("Records that the reader has not handled")
			.register(meters);
		TimeGauge
			.builder("chat.reader.oldest.unread", this.worker, TimeUnit.SECONDS,
					(reader) -> reader.oldestUnread().toMillis() / 1000.0)
			.tag("reader", this.worker.name())
			.description("Age of the oldest record that the reader has not handled")
			.register(meters);
	}

}
