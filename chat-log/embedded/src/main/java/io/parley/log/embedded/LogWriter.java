package io.parley.log.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import io.parley.log.LogRecord;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The only thread that writes. It takes all waiting appends, writes and syncs them in one
 * batch, makes them visible to the readers and confirms them. The next batch gathers
 * meanwhile.
 */
final class LogWriter implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

	private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;

	private final AppendQueue queue;

	private final DiskReserve reserve;

	private final LogStore store;

	private final List<EmbeddedPartitionState> states;

	private volatile long batches;

	private boolean failed;

	LogWriter(AppendQueue queue, DiskReserve reserve, LogStore store, List<EmbeddedPartitionState> states) {
		this.queue = queue;
		this.reserve = reserve;
		this.store = store;
		this.states = states;
	}

	/** Returns how many batches were synced. */
	long batches() {
		return this.batches;
	}

	@Override
	public void run() {
		while (true) {
			List<EmbeddedPendingAppend> batch = List.of();
			try {
				batch = this.queue.take(MAX_BATCH_BYTES);
				if (batch.isEmpty()) {
					return;
				}
				handle(batch);
			}
			catch (RocksDBException | RuntimeException | Error ex) {
				fail(batch, ex);
			}
		}
	}

	private void handle(List<EmbeddedPendingAppend> batch) throws RocksDBException {
		String reason = this.failed ? "The log has failed: restart this process" : this.reserve.shortage();
		if (reason != null) {
			batch.forEach((append) -> append.confirm().completeExceptionally(new AppendRefusedException(reason)));
			return;
		}
		confirm(batch, write(batch));
	}

	/** Returns the records of the batch, which are on the disk then. */
	private List<LogRecord> write(List<EmbeddedPendingAppend> batch) throws RocksDBException {
		long[] ends = this.states.stream().mapToLong(EmbeddedPartitionState::end).toArray();
		List<LogRecord> records = new ArrayList<>(batch.size());
		try (WriteBatch writes = new WriteBatch()) {
			for (EmbeddedPendingAppend append : batch) {
				long offset = ends[append.partition()]++;
				writes.put(RecordKeys.record(append.partition(), offset), append.data());
				records.add(new LogRecord(append.partition(), offset, append.data()));
			}
			this.store.write(writes);
		}
		return records;
	}

	private void confirm(List<EmbeddedPendingAppend> batch, List<LogRecord> records) {
		this.batches++;
		records.stream()
			.collect(Collectors.groupingBy(LogRecord::partition))
			.forEach((partition, appended) -> this.states.get(partition).append(appended));
		for (int i = 0; i < batch.size(); i++) {
			batch.get(i).confirm().complete(records.get(i).offset());
		}
	}

	/**
	 * Stops the log after a failed write. A failed sync must not be retried: the kernel
	 * may have discarded the data and would report success.
	 */
	private void fail(List<EmbeddedPendingAppend> batch, Throwable failure) {
		this.failed = true;
		logger.error("The log could not be written; appends are refused until a restart", failure);
		this.queue.refuse("The log could not be written (" + failure.getMessage()
				+ "): check the disk, then restart this process");
		batch
			.forEach((append) -> append.confirm()
				.completeExceptionally(new AppendUnknownException(
						"The log could not be written: the record may or may not be in the log after a restart",
						failure)));
	}

}
