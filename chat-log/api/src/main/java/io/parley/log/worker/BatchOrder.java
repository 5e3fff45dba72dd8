package io.parley.log.worker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Checks that the batches of a reader leave out no record: each batch must begin at the
 * stored offset. Only the first batch after a claim may begin above it, if the log has no
 * readable record in between, for example because it was removed. Safe for use by the
 * threads of several partitions.
 */
public final class BatchOrder {

	private final String reader;

	private final Map<Integer, Long> startOffsets = new ConcurrentHashMap<>();

	/**
	 * @param reader the name of the reader
	 */
	public BatchOrder(String reader) {
		this.reader = reader;
	}

	/** Notes that the reader has claimed the partition and continues from the offset. */
	public void begin(int partition, long offset) {
		this.startOffsets.put(partition, offset);
	}

	/** Notes that a batch of the partition is stored. */
	public void stored(int partition) {
		this.startOffsets.remove(partition);
	}

	/**
	 * Checks a batch before it is stored.
	 * @param stored the next offset of the reader according to the database
	 * @param first the offset of the first record of the batch
	 * @throws SkippedRecordsException if the batch leaves out records
	 */
	public void check(int partition, long stored, long first) {
		if (first > stored && this.startOffsets.getOrDefault(partition, -1L) != stored) {
			throw new SkippedRecordsException(this.reader, partition, stored, first);
		}
	}

}
