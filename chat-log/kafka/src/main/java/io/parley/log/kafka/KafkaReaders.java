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

/** Runs all open readers, and ends them with the log. */
final class KafkaReaders {

	private static final Logger logger = LoggerFactory.getLogger(KafkaReaders.class);

	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

	private final ExecutorService threads = Executors
		.newThreadPerTaskExecutor(Thread.ofPlatform().name("room-log-reader-", 0).daemon().factory());

	private final ReaderRegistry registry = new ReaderRegistry();

	/** Returns the registry that ends each reader with the log. */
	ReaderRegistry registry() {
		return this.registry;
	}

	void run(Runnable task) {
		try {
			this.threads.execute(task);
		}
		catch (RejectedExecutionException ex) {
			throw new LogClosedException("The log is closed", ex);
		}
	}

	/**
	 * Ends all readers. Waits for up to 5 s, so that leases are released in an orderly
	 * way.
	 */
	void close() {
		this.registry.end(() -> new LogClosedException("The log is closed"));
		this.threads.shutdown();
		try {
			if (!this.threads.awaitTermination(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)) {
				logger.warn("Readers of the log have not ended within {} s", CLOSE_TIMEOUT.toSeconds());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
