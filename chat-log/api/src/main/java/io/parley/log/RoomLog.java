package io.parley.log;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * A partitioned, append-only log. Each record of a partition has an offset, which
 * increases by one from record to record.
 *
 * <p>
 * <b>Durability.</b> A record that {@link #append} has confirmed survives the end of the
 * process at any moment. Each adapter documents what it guarantees beyond that.
 *
 * <p>
 * <b>Order.</b> Records of one partition are read in the order of their offsets.
 * Consecutive appends by one thread to one partition get increasing offsets.
 *
 * <p>
 * All methods are safe for use by many threads.
 */
public interface RoomLog extends AutoCloseable {

	/**
	 * Returns the id of this log, which distinguishes it from another log with the same
	 * address. The id is created with the log and changes only when the log is replaced.
	 */
	String id();

	/**
	 * Returns the number of partitions, which are numbered from 0. It is fixed for the
	 * life of the log.
	 */
	int partitions();

	/**
	 * Appends a record. Does not block: a log that can't keep up refuses the record.
	 * @param partition from 0
	 * @param record 1 byte to 1,000 KiB; an adapter may accept more. Must not be modified
	 * afterwards
	 * @return the offset, once the record is durable. Completes exceptionally with
	 * {@link AppendRefusedException} if the record is certainly not in the log, or with
	 * {@link AppendUnknownException} if it may or may not be. Callbacks that are not
	 * asynchronous run on the log's own thread; they must not block and must not close
	 * the log.
	 */
	CompletableFuture<Long> append(int partition, byte[] record);

	/**
	 * Returns why appends would be refused now, as one sentence, or empty. The call is
	 * cheap and never blocks; the answer may be slightly out of date.
	 */
	Optional<String> unavailableReason();

	/** Returns the offset of the oldest record that can still be read. */
	long startOffset(int partition);

	/** Returns the lowest offset that the next confirmed record can have. */
	long endOffset(int partition);

	/**
	 * Returns a reader of a partition that is independent of all other readers.
	 * @param fromOffset the first offset to read; if it is older than
	 * {@link #startOffset}, reading begins there
	 */
	LogReader follow(int partition, long fromOffset);

	/**
	 * Returns a reader of a partition that is active only while no other reader of the
	 * same name is. While another reader is active, this one stands by and
	 * {@link LogReader#poll} returns nothing. When the active reader closes or its
	 * process dies, a waiting reader becomes active.
	 * @param reader the name, such as {@code persistence}
	 * @param fromOffset supplies the offset to continue from, which is the offset after
	 * the last one that the previous reader has committed. It is called by the first
	 * {@link LogReader#poll} that is active; if it throws, so does the poll, and the next
	 * poll calls it again
	 */
	LogReader claim(String reader, int partition, LongSupplier fromOffset);

	/**
	 * Checks at startup that the log reaches an offset below which a reader has read
	 * everything. A log that several processes share performs this check itself whenever
	 * a reader claims a partition, and begins a new log if records are missing.
	 * @throws LogUnavailableException if records are missing; the message says what to do
	 */
	default void requireReaches(int partition, long offset) {
	}

	/**
	 * Returns the bus for transient signals between the processes that share this log.
	 */
	SignalBus signals();

	/**
	 * Removes records that are older than the adapter's retention and below the given
	 * offset. Never removes records at or above that offset. Where the store removes
	 * records by itself, appends are refused before it would remove unread records; this
	 * method raises an alarm when unread records take too much space or are gone. Must be
	 * called at least once a minute.
	 * @param belowOffset the offset below which every reader has read everything
	 */
	void trim(int partition, long belowOffset);

	/**
	 * Returns how many records {@link #trim} found removed before every reader had read
	 * them, since the log was opened. Any value above 0 is an alarm. Always 0 if the
	 * store removes nothing by itself.
	 */
	default long removedUnread() {
		return 0;
	}

	/**
	 * Returns in how many partitions unread records take too much space, as of the last
	 * {@link #trim}. Any value above 0 is an alarm. Always 0 with the embedded log.
	 */
	default long partitionsAtRisk() {
		return 0;
	}

	/**
	 * Ends all readers and refuses further appends with {@link AppendRefusedException}.
	 * Waits for appends in flight.
	 */
	@Override
	void close();

}
