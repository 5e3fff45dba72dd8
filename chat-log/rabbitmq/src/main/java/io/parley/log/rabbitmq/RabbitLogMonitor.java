package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.log.LogReplacedException;
import io.parley.log.claim.ReaderRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Monitors an open log periodically. */
final class RabbitLogMonitor {

	private static final Logger logger = LoggerFactory.getLogger(RabbitLogMonitor.class);

	private static final Duration EXPIRY_PERIOD = Duration.ofMillis(250);

	private static final Duration CHECK_PERIOD = Duration.ofSeconds(5);

	private final IdentityAgreement agreement;

	private final RabbitLogIdentity identity;

	private final List<RabbitPartition> partitions;

	private final SignalStream signals;

	private final ReaderRegistry registry;

	private final LossSuspicion suspicion = new LossSuspicion();

	/** Two threads, because a check may wait for an unavailable broker. */
	private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2,
			Thread.ofPlatform().name("room-log-watch-", 0).daemon().factory());

	private boolean ended;

	RabbitLogMonitor(IdentityAgreement agreement, RabbitLogIdentity identity, List<RabbitPartition> partitions,
			SignalStream signals, ReaderRegistry registry) {
		this.agreement = agreement;
		this.identity = identity;
		this.partitions = partitions;
		this.signals = signals;
		this.registry = registry;
	}

	void start() {
		every(EXPIRY_PERIOD, this::expire);
		every(CHECK_PERIOD, this::check);
	}

	void stop() {
		this.scheduler.shutdownNow();
	}

	private void every(Duration period, Runnable task) {
		this.scheduler.scheduleWithFixedDelay(() -> {
			try {
				task.run();
			}
			catch (RuntimeException ex) {
				logger.warn("The log check failed; it will be retried", ex);
			}
		}, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void expire() {
		long now = System.nanoTime();
		this.partitions.forEach((partition) -> partition.appender().expire(now));
	}

	private void check() {
		if (this.ended) {
			return;
		}
		if (this.suspicion.isCertainAfter(() -> this.agreement.holds(this.identity))) {
			end("Another process has begun a new log");
			return;
		}
		for (RabbitPartition partition : this.partitions) {
			if (!partition.check()) {
				this.agreement.replace(this.identity);
				end("Stream " + partition.stream() + " was deleted or has lost records that were already read");
				return;
			}
		}
		this.signals.revive();
	}

	/**
	 * Ends the log: its offsets, and the positions derived from them, would now refer to
	 * other records.
	 */
	private void end(String reason) {
		String sentence = reason + ": restart this process, which then joins the new log";
		logger.error(sentence);
		this.ended = true;
		this.partitions.forEach((partition) -> partition.appender().stop(sentence));
		this.registry.end(() -> new LogReplacedException(sentence));
	}

}
