package io.parley.log.worker;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.LogReplacedException;
import io.parley.log.RoomLog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads one partition until it is stopped. */
final class PartitionLoop implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(PartitionLoop.class);

	/** How long to wait for records that are already in the log. */
	private static final Duration FETCH_TIMEOUT = Duration.ofMillis(100);

	/**
	 * After this many poll timeouts without a lease, another reader is assumed to be
	 * active.
	 */
	private static final int STANDBY_POLLS = 10;

	private final String name;

	private final RoomLog log;

	private final int partition;

	private final BatchHandler handler;

	private final ReaderSettings settings;

	private final Consumer<LogReplacedException> onReplaced;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final RetryBackoff backoff;

	private volatile @Nullable LogReader reader;

	private final ReaderProgress progress = new ReaderProgress();

	/** Whether this claim has acquired its lease. */
	private boolean active;

	PartitionLoop(String name, RoomLog log, int partition, BatchHandler handler, ReaderSettings settings,
			Consumer<LogReplacedException> onReplaced) {
		this.name = name;
		this.log = log;
		this.partition = partition;
		this.handler = handler;
		this.settings = settings;
		this.onReplaced = onReplaced;
		this.backoff = new RetryBackoff("Reader '" + name + "' of partition " + partition, settings, this.stopped);
	}

	@Override
	public void run() {
		try {
			while (!isStopped()) {
				claimAndRead();
			}
		}
		catch (LogClosedException ex) {
			logger.debug("Reader '{}' of partition {} ends: {}", this.name, this.partition, ex.getMessage());
		}
		catch (LogReplacedException ex) {
			logger.error("Reader '{}' of partition {} has stopped permanently: {}", this.name, this.partition,
					ex.getMessage());
			this.onReplaced.accept(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Claims the partition and reads it. Releases the claim after a failure, so that
	 * another process can try.
	 */
	private void claimAndRead() throws InterruptedException {
		try (LogReader claimed = this.log.claim(this.name, this.partition, this::firstOffset)) {
			this.reader = claimed;
			this.active = false;
			long waitingSince = System.nanoTime();
			while (!isStopped()) {
				List<LogRecord> batch = read(claimed);
				this.backoff.over();
				noteStandby(waitingSince);
				handleUntilDone(batch);
				gather(batch.size());
			}
		}
		catch (LogClosedException | LogReplacedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			this.backoff.pause(ex);
		}
	}

	/**
	 * Assumes that another reader is active if the lease is not acquired for a long time
	 * although the log is available.
	 */
	private void noteStandby(long since) {
		if (this.active) {
			return;
		}
		Duration standbyAfter = this.settings.pollTimeout().multipliedBy(STANDBY_POLLS);
		if (System.nanoTime() - since > standbyAfter.toNanos() && this.log.unavailableReason().isEmpty()) {
			this.progress.standBy();
		}
	}

	/**
	 * Polls a batch. With gathering enabled, polls until the batch is full or no more
	 * records are available, because some logs return only a few records per poll. If the
	 * reader was inactive in between, the batch starts again where the other reader has
	 * stopped.
	 */
	private List<LogRecord> read(LogReader from) throws InterruptedException {
		int most = this.settings.maxRecords();
		List<LogRecord> batch = new ArrayList<>(from.poll(most, this.settings.pollTimeout()));
		boolean more = !batch.isEmpty() && this.settings.gather().isPositive();
		while (more && batch.size() < most && this.log.endOffset(this.partition) > batch.getLast().offset() + 1) {
			List<LogRecord> next = from.poll(most - batch.size(), FETCH_TIMEOUT);
			more = !next.isEmpty();
			if (more && next.getFirst().offset() <= batch.getLast().offset()) {
				batch.clear();
			}
			batch.addAll(next);
		}
		return batch;
	}

	/** Waits for records to gather, unless more are waiting already. */
	private void gather(int handled) throws InterruptedException {
		if (handled > 0 && handled < this.settings.maxRecords() && lag() <= handled) {
			this.stopped.await(this.settings.gather().toNanos(), TimeUnit.NANOSECONDS);
		}
	}

	private long firstOffset() {
		this.active = true;
		try {
			long offset = this.handler.nextOffset(this.partition);
			this.progress.beginAt(offset);
			return offset;
		}
		catch (RuntimeException ex) {
			this.progress.beginAtLatest(this.log.endOffset(this.partition));
			throw ex;
		}
	}

	private void handleUntilDone(List<LogRecord> batch) throws InterruptedException {
		if (!batch.isEmpty()) {
			this.progress.handling(this.handler.writtenAt(batch.getFirst()));
		}
		while (!batch.isEmpty() && !isStopped()) {
			try {
				this.handler.handle(this.partition, batch);
				LogRecord last = batch.getLast();
				this.progress.handled(last.offset() + 1, this.handler.writtenAt(last),
						this.log.endOffset(this.partition));
				this.backoff.over();
				return;
			}
			catch (SkippedRecordsException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				this.backoff.pause(ex);
			}
		}
	}

	/** Returns the lag in records; zero while another reader is active. */
	long lag() {
		return this.progress.lag(this.log.endOffset(this.partition));
	}

	/**
	 * Returns the age of the oldest unread record; zero while another reader is active.
	 */
	Duration oldestUnread() {
		return this.progress.oldestUnread(this.log.endOffset(this.partition), Instant.now());
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/**
	 * Stops the loop. Never interrupts the thread, because that would close the files of
	 * an embedded database.
	 */
	void stop() {
		this.stopped.countDown();
		LogReader claimed = this.reader;
		if (claimed != null) {
			claimed.close();
		}
	}

}
