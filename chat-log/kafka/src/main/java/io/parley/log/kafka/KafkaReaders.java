package io.parley.log.kafka;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import io.parley.log.LogClosedException;
import io.parley.log.claim.ReaderRegistry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs all open readers, and lets them end with the log. */
final class KafkaReaders {

	private static final Logger logger = LoggerFactory.getLogger(KafkaReaders.class);

	private static final Duration PATIENCE = Duration.ofSeconds(5);

	private final ExecutorService threads = Executors
		.newThreadPerTaskExecutor(Thread.ofPlatform().name("room-log-reader-", 0).daemon().factory());

	private final ReaderRegistry endings = new ReaderRegistry();

	/** Tells each reader when the log ends. */
	ReaderRegistry endings() {
		return this.endings;
	}

	void run(Runnable reading) {
		try {
			this.threads.execute(reading);
		}
		catch (RejectedExecutionException ex) {
			throw new LogClosedException("The log is closed", ex);
		}
	}

	/** Waits a little, so that turns are given up in good order. */
	void close() {
		this.endings.end(() -> new LogClosedException("The log is closed"));
		this.threads.shutdown();
		try {
			if (!this.threads.awaitTermination(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.warn("Readers of the log have not ended within {} s", PATIENCE.toSeconds());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
