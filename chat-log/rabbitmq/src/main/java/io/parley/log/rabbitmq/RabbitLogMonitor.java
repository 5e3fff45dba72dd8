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

/** Looks after an open log from time to time. */
final class RabbitLogMonitor {

	private static final Logger logger = LoggerFactory.getLogger(RabbitLogMonitor.class);

	private static final Duration EXPIRY_PERIOD = Duration.ofMillis(250);

	private static final Duration LOOK_PERIOD = Duration.ofSeconds(5);

	private final IdentityAgreement agreement;

	private final RabbitLogIdentity identity;

	private final List<RabbitPartition> partitions;

	private final SignalStream signals;

	private final ReaderRegistry endings;

	private final LossSuspicion suspicion = new LossSuspicion();

	/** Two threads, because a look may wait for a broker that is away. */
	private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(2,
			Thread.ofPlatform().name("room-log-watch-", 0).daemon().factory());

	private boolean ended;

	RabbitLogMonitor(IdentityAgreement agreement, RabbitLogIdentity identity, List<RabbitPartition> partitions,
			SignalStream signals, ReaderRegistry endings) {
		this.agreement = agreement;
		this.identity = identity;
		this.partitions = partitions;
		this.signals = signals;
		this.endings = endings;
	}

	void start() {
		every(EXPIRY_PERIOD, this::expire);
		every(LOOK_PERIOD, this::look);
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
				logger.warn("The log could not be looked after; it is tried again", ex);
			}
		}, period.toMillis(), period.toMillis(), TimeUnit.MILLISECONDS);
	}

	private void expire() {
		long now = System.nanoTime();
		this.partitions.forEach((partition) -> partition.appender().expire(now));
	}

	private void look() {
		if (this.ended) {
			return;
		}
		if (this.suspicion.isCertainAfter(() -> this.agreement.holds(this.identity))) {
			end("Another process has begun a new log");
			return;
		}
		for (RabbitPartition partition : this.partitions) {
			if (!partition.look()) {
				this.agreement.replace(this.identity);
				end("Stream " + partition.stream() + " was deleted or has lost records that were already read");
				return;
			}
		}
		this.signals.revive();
	}

	/** Its offsets, and the positions made from them, would mean something else now. */
	private void end(String reason) {
		String sentence = reason + ": restart this process, which then joins the new log";
		logger.error(sentence);
		this.ended = true;
		this.partitions.forEach((partition) -> partition.appender().stop(sentence));
		this.endings.end(() -> new LogReplacedException(sentence));
	}

}
