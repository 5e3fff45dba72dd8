package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTaskRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;

/** Removes old data, and measures the number of waiting tasks. */
class PushHousekeeping {

	private static final Logger logger = LoggerFactory.getLogger(PushHousekeeping.class);

	private final PushLogRepository log;

	private final DeviceRepository devices;

	private final PushTaskRepository tasks;

	private final PushProperties properties;

	private final Clock clock;

	private final AtomicLong waiting;

	private volatile Instant oldestDue = Instant.MAX;

	PushHousekeeping(PushLogRepository log, DeviceRepository devices, PushTaskRepository tasks,
			PushProperties properties, MeterRegistry meters, Clock clock) {
		this.log = log;
		this.devices = devices;
		this.tasks = tasks;
		this.properties = properties;
		this.clock = clock;
		TimeGauge.builder("chat.push.oldest.due", this, TimeUnit.MILLISECONDS, PushHousekeeping::oldestDueMillis)
			.description("How long the oldest task has been due")
			.register(meters);
		this.waiting = meters.gauge("chat.push.tasks", new AtomicLong());
	}

	@Scheduled(fixedDelay = 10_000)
	void measure() {
		this.waiting.set(this.tasks.count());
		this.oldestDue = this.tasks.oldestDue().orElse(Instant.MAX);
	}

	private long oldestDueMillis() {
		Instant now = this.clock.instant();
		Instant due = this.oldestDue;
		return due.isBefore(now) ? Duration.between(due, now).toMillis() : 0;
	}

	@Scheduled(fixedDelay = 3_600_000, initialDelay = 60_000)
	void forget() {
		int devices = this.devices.removeUnseenSince(this.clock.instant().minus(this.properties.deviceExpiry()));
		int entries = this.log.removeBefore(this.clock.instant().minus(this.properties.logRetention()));
		if (devices + entries > 0) {
			logger.info("Removed {} devices and {} entries of the push log", devices, entries);
		}
	}

}
