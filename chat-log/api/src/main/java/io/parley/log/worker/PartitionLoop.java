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

	/** How long what is there may take to come. */
	private static final Duration MOMENT = Duration.ofMillis(100);

	/** So many polls without a turn may pass while a turn is being given. */
	private static final int POLLS_IN_LINE = 10;

	private final String name;

	private final RoomLog log;

	private final int partition;

	private final BatchHandler handler;

	private final ReaderSettings settings;

	private final Consumer<LogReplacedException> onReplaced;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final RetryBackoff trouble;

	private volatile @Nullable LogReader reader;

	private final ReaderProgress progress = new ReaderProgress();

	/** Whether this claim has got its turn. */
	private boolean active;

	PartitionLoop(String name, RoomLog log, int partition, BatchHandler handler, ReaderSettings settings,
			Consumer<LogReplacedException> onReplaced) {
		this.name = name;
		this.log = log;
		this.partition = partition;
		this.handler = handler;
		this.settings = settings;
		this.onReplaced = onReplaced;
		this.trouble = new RetryBackoff("Reader '" + name + "' of partition " + partition, settings, this.stopped);
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
			logger.error("Reader '{}' of partition {} reads no more: {}", this.name, this.partition, ex.getMessage());
			this.onReplaced.accept(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Gives up the claim after a failure, so that another process may do better. */
	private void claimAndRead() throws InterruptedException {
		try (LogReader claimed = this.log.claim(this.name, this.partition, this::firstOffset)) {
			this.reader = claimed;
			this.active = false;
			long inLine = System.nanoTime();
			while (!isStopped()) {
				List<LogRecord> batch = read(claimed);
				this.trouble.over();
				noteStandby(inLine);
				handleUntilDone(batch);
				gather(batch.size());
			}
		}
		catch (LogClosedException | LogReplacedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			this.trouble.pause(ex);
		}
	}

	/**
	 * Another reader is the active one when the turn does not come for long, though the
	 * log is well.
	 */
	private void noteStandby(long since) {
		if (this.active) {
			return;
		}
		Duration line = this.settings.pollTimeout().multipliedBy(POLLS_IN_LINE);
		if (System.nanoTime() - since > line.toNanos() && this.log.trouble().isEmpty()) {
			this.progress.standBy();
		}
	}

	/**
	 * Who lets records gather gets all that are there, up to a batch: some logs hand over
	 * a few at a time, however many there are. When the reader was inactive in between,
	 * it begins anew where another one has stopped.
	 */
	private List<LogRecord> read(LogReader from) throws InterruptedException {
		int most = this.settings.maxRecords();
		List<LogRecord> batch = new ArrayList<>(from.poll(most, this.settings.pollTimeout()));
		boolean more = !batch.isEmpty() && this.settings.gather().isPositive();
		while (more && batch.size() < most && this.log.endOffset(this.partition) > batch.getLast().offset() + 1) {
			List<LogRecord> next = from.poll(most - batch.size(), MOMENT);
			more = !next.isEmpty();
			if (more && next.getFirst().offset() <= batch.getLast().offset()) {
				batch.clear();
			}
			batch.addAll(next);
		}
		return batch;
	}

	/** Not when more is waiting. */
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
				this.trouble.over();
				return;
			}
			catch (SkippedRecordsException ex) {
				throw ex;
			}
			catch (RuntimeException ex) {
				this.trouble.pause(ex);
			}
		}
	}

	/** Zero while another reader is the active one. */
	long lag() {
		return this.progress.lag(this.log.endOffset(this.partition));
	}

	/** Zero while another reader is the active one. */
	Duration oldestUnread() {
		return this.progress.oldestUnread(this.log.endOffset(this.partition), Instant.now());
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/**
	 * Never interrupts the thread: that would close the files of an embedded database.
	 */
	void stop() {
		this.stopped.countDown();
		LogReader claimed = this.reader;
		if (claimed != null) {
			claimed.close();
		}
	}

}
