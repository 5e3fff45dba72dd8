package io.parley.log.embedded;

import java.util.ArrayList;
import java.util.List;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that writes. It takes all that waits, writes and syncs it in one batch,
 * shows it to the readers and confirms it; meanwhile the next batch gathers by itself.
 */
final class LogWriter implements Runnable {

	private static final Logger logger = LoggerFactory.getLogger(LogWriter.class);

	private static final long MAX_BATCH_BYTES = 4L * 1024 * 1024;

	private final AppendQueue queue;

	private final DiskReserve reserve;

	private final LogStore store;

	private final List<EmbeddedPartitionState> tails;

	private volatile long batches;

	private boolean failed;

	LogWriter(AppendQueue queue, DiskReserve reserve, LogStore store, List<EmbeddedPartitionState> tails) {
		this.queue = queue;
		this.reserve = reserve;
		this.store = store;
		this.tails = tails;
	}

	/** How many batches were synced. */
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
		String refusal = this.failed ? "The log has failed: restart this process" : this.reserve.lack();
		if (refusal != null) {
			batch.forEach((append) -> append.confirm().completeExceptionally(new AppendRefusedException(refusal)));
			return;
		}
		long[] ends = this.tails.stream().mapToLong(EmbeddedPartitionState::end).toArray();
		List<Long> offsets = new ArrayList<>(batch.size());
		write(batch, ends, offsets);
		confirm(batch, ends, offsets);
	}

	private void write(List<EmbeddedPendingAppend> batch, long[] ends, List<Long> offsets) throws RocksDBException {
		try (WriteBatch records = new WriteBatch()) {
			for (EmbeddedPendingAppend append : batch) {
				long offset = ends[append.partition()]++;
				records.put(RecordKeys.record(append.partition(), offset), append.data());
				offsets.add(offset);
			}
			this.store.write(records);
		}
	}

	private void confirm(List<EmbeddedPendingAppend> batch, long[] ends, List<Long> offsets) {
		this.batches++;
		for (int partition = 0; partition < ends.length; partition++) {
			EmbeddedPartitionState tail = this.tails.get(partition);
			if (tail.end() != ends[partition]) {
				tail.endAt(ends[partition]);
			}
		}
		for (int i = 0; i < batch.size(); i++) {
			batch.get(i).confirm().complete(offsets.get(i));
		}
	}

	/**
	 * A failed sync must not be tried again: the kernel may have thrown the data away and
	 * would report success.
	 */
	private void fail(List<EmbeddedPendingAppend> batch, Throwable failure) {
		this.failed = true;
		logger.error("The log could not be written; it takes no appends until a restart", failure);
		this.queue.refuse("The log could not be written (" + failure.getMessage()
				+ "): check the disk, then restart this process");
		batch
			.forEach(
					(append) -> append.confirm()
						.completeExceptionally(new AppendUnknownException(
								"The log could not be written: after a restart the record may be there or not",
								failure)));
	}

}
