package io.parley.log;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * A partitioned, append-only log. Each record of a partition has an offset, which grows
 * by one from record to record.
 *
 * <p>
 * <b>Durability.</b> What {@link #append} has confirmed survives the end of the process
 * at any moment; each adapter says what it promises beyond that.
 *
 * <p>
 * <b>Order.</b> Records of one partition are read in the order of their offsets. Appends
 * made one after the other by one thread to one partition get growing offsets.
 *
 * <p>
 * All methods may be called by any thread.
 */
public interface RoomLog extends AutoCloseable {

	/**
	 * Tells this log from another with the same address: it is made with the log and
	 * changes only when the log is replaced.
	 */
	String id();

	/** How many partitions there are, numbered from 0; fixed for the life of the log. */
	int partitions();

	/**
	 * Appends a record. Does not block: a log that can't keep up refuses.
	 * @param partition from 0
	 * @param record 1 byte to 1,000 KiB, an adapter may take more; not to be changed
	 * afterwards
	 * @return the offset, once the record is durable. Completed exceptionally with
	 * {@link AppendRefusedException} when the record is certainly not in the log, or with
	 * {@link AppendUnknownException} when it may or may not be. Callbacks that are not
	 * asynchronous run on the log's own thread and must not block, nor close the log.
	 */
	CompletableFuture<Long> append(int partition, byte[] record);

	/**
	 * Why appends would be refused now, in one sentence, or empty. An answer from what
	 * the log knows: it is cheap, never blocks, and may be a moment old.
	 */
	Optional<String> trouble();

	/** The offset of the oldest record that can still be read. */
	long startOffset(int partition);

	/** The offset that the next confirmed record will have at the earliest. */
	long endOffset(int partition);

	/**
	 * Reads a partition on its own, whoever else reads it.
	 * @param fromOffset the first offset to read; when it is older than
	 * {@link #startOffset}, reading begins there
	 */
	LogReader follow(int partition, long fromOffset);

	/**
	 * Reads a partition as the only active one among all readers of that name. While
	 * another is active this one stands by, and {@link LogReader#poll} returns nothing;
	 * when the other closes or dies, this one takes over.
	 * @param reader the name, such as {@code persistence}
	 * @param fromOffset the offset to go on from, that is the one after the last that the
	 * previous reader has committed. Asked by the first {@link LogReader#poll} that is
	 * active; when it throws, so does the poll, and the next one asks again
	 */
	LogReader claim(String reader, int partition, LongSupplier fromOffset);

	/**
	 * Checks, when a process starts, that the log reaches up to an offset below which a
	 * reader has read everything. A log that is shared by several processes checks this
	 * itself whenever a reader claims a partition, and begins anew when it is too short.
	 * @throws LogUnavailableException when records are missing, with what to do
	 */
	default void requireReaches(int partition, long offset) {
	}

	/** What the processes that share this log tell each other besides. */
	SignalBus signals();

	/**
	 * Lets go of old records: those older than the retention of the adapter and below the
	 * given offset. Never removes records at or above it. Where the store removes records
	 * by itself, appends are refused before it would remove some of those, and this
	 * raises an alarm when they take too much room, or are gone. To be called every
	 * minute at the least.
	 * @param belowOffset what every reader has read
	 */
	void trim(int partition, long belowOffset);

	/**
	 * How many records {@link #trim} found removed before every reader had read them,
	 * since the log was opened; anything above 0 is an alarm. Always 0 where the log
	 * removes nothing by itself.
	 */
	default long removedUnread() {
		return 0;
	}

	/**
	 * In how many partitions unread records take too much room, as of the last
	 * {@link #trim}; above 0 is an alarm. Always 0 with the embedded log.
	 */
	default long partitionsAtRisk() {
		return 0;
	}

	/**
	 * Ends all readers and refuses further appends with {@link AppendRefusedException};
	 * waits for those under way.
	 */
	@Override
	void close();

}
