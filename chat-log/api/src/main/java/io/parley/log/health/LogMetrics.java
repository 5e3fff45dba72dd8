package io.parley.log.health;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.parley.log.RoomLog;

/** The metrics that are available for every log. */
public final class LogMetrics implements MeterBinder {

	private final RoomLog log;

	public LogMetrics(RoomLog log) {
		this.log = log;
	}

	@Override
	public void bindTo(MeterRegistry meters) {
		Gauge.builder("chat.log.trouble", this.log, (log) -> log.unavailableReason().isPresent() ? 1 : 0)
			.description("1 while appends would be refused")
			.register(meters);
		Gauge.builder("chat.log.partitions.at.risk", this.log, RoomLog::partitionsAtRisk)
			.description("Partitions in which unread records take too much space")
			.register(meters);
		FunctionCounter.builder("chat.log.removed.unread", this.log, RoomLog::removedUnread)
			.description("Records that were removed before every reader had read them")
			.register(meters);
	}

}
