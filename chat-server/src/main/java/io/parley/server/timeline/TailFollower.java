package io.parley.server.timeline;

import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.LogReplacedException;
import io.parley.log.RoomLog;
import io.parley.log.worker.ReaderSettings;
import io.parley.log.worker.RetryBackoff;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one partition for the {@link Tail}. If the log cannot be read, it retries from
 * the next record. It ends only when it is stopped or the log is closed or replaced.
 */
final class TailFollower implements Runnable {

	private static final Logger log = LoggerFactory.getLogger(TailFollower.class);

	private static final ReaderSettings SETTINGS = ReaderSettings.of(1_000);

	private final RoomLog roomLog;

	private final int partition;

	private final TailPartition tail;

	private final Consumer<LogRecord> records;

	private final Consumer<LogReplacedException> onReplaced;

	private final CountDownLatch stopped = new CountDownLatch(1);

	private final RetryBackoff backoff;

	private volatile @Nullable LogReader reader;

	TailFollower(RoomLog roomLog, int partition, TailPartition tail, Consumer<LogRecord> records,
			Consumer<LogReplacedException> onReplaced) {
		this.roomLog = roomLog;
		this.partition = partition;
		this.tail = tail;
		this.records = records;
		this.onReplaced = onReplaced;
		this.backoff = new RetryBackoff("Live delivery of partition " + partition, SETTINGS, this.stopped);
	}

	@Override
	public void run() {
		try {
			while (!isStopped()) {
				follow();
			}
		}
		catch (LogClosedException ex) {
			log.debug("The tail of partition {} stops: {}", this.partition, ex.getMessage());
		}
		catch (LogReplacedException ex) {
			log.error("Live delivery of partition {} has stopped: {}", this.partition, ex.getMessage());
			this.onReplaced.accept(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void follow() throws InterruptedException {
		try (LogReader opened = this.roomLog.follow(this.partition, this.tail.nextOffset())) {
			this.reader = opened;
			while (!isStopped()) {
				for (LogRecord record : opened.poll(SETTINGS.maxRecords(), SETTINGS.pollTimeout())) {
					this.records.accept(record);
					this.tail.read(record.offset());
				}
				this.backoff.over();
			}
		}
		catch (LogClosedException | LogReplacedException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			this.backoff.pause(ex);
		}
	}

	private boolean isStopped() {
		return this.stopped.getCount() == 0;
	}

	/** Returns the lag behind the log in records. */
	long lag() {
		return Math.max(0, this.roomLog.endOffset(this.partition) - this.tail.nextOffset());
	}

	void stop() {
		this.stopped.countDown();
		LogReader opened = this.reader;
		if (opened != null) {
			opened.close();
		}
	}

}
