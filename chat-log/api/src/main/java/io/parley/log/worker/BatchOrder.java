package io.parley.log.worker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that the batches of a reader leave out no record: each begins at the offset that
 * is stored. Only the first batch after a claim may begin above it, because the log has
 * no readable record in between, such as one that was removed. Safe for use by the
 * threads of several partitions.
 */
public final class BatchOrder {

	private final String reader;

	private final Map<Integer, Long> begun = new ConcurrentHashMap<>();

	/**
	 * @param reader its name among the readers of the log
	 */
	public BatchOrder(String reader) {
		this.reader = reader;
	}

	/** The reader has claimed the partition and reads on from the offset. */
	public void begin(int partition, long offset) {
		this.begun.put(partition, offset);
	}

	/** A batch of the partition is stored. */
	public void stored(int partition) {
		this.begun.remove(partition);
	}

	/**
	 * Checks a batch before it is stored.
	 * @param stored the offset that the reader reads next, as the database knows it
	 * @param first the offset of the first record of the batch
	 * @throws SkippedRecordsException when the batch leaves out records
	 */
	public void check(int partition, long stored, long first) {
		if (first > stored && this.begun.getOrDefault(partition, -1L) != stored) {
			throw new SkippedRecordsException(this.reader, partition, stored, first);
		}
	}

}
