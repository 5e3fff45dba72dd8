package io.parley.log.rabbitmq;

import java.util.concurrent.atomic.AtomicLongArray;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what the broker still has with what was read. The broker lets go of old
 * records whoever has read them; nobody may miss that.
 */
final class RetentionAlarm {

	private static final Logger logger = LoggerFactory.getLogger(RetentionAlarm.class);

	/** The oldest part of a stream is about to be removed: one in so many records. */
	private static final int OLDEST = 10;

	/** For each partition up to where it is known that records were lost. */
	private final AtomicLongArray lostUpTo;

	/** For each partition 1 while unread records are about to be removed. */
	private final AtomicLongArray risks;

	private final AtomicLongArray lost;

	RetentionAlarm(int partitions) {
		this.lostUpTo = new AtomicLongArray(partitions);
		this.risks = new AtomicLongArray(partitions);
		this.lost = new AtomicLongArray(partitions);
	}

	/**
	 * Looks at a partition.
	 * @param below what every reader has read
	 */
	synchronized void check(int partition, PartitionTail tail, long below) {
		checkLost(partition, tail.start(), below);
		warn(partition, tail.start(), tail.end(), below);
	}

	/** Looks whether records are gone that a reader has not read. */
	synchronized void checkLost(int partition, long start, long below) {
		long unseen = Math.max(below, this.lostUpTo.get(partition));
		if (start > unseen) {
			this.lostUpTo.set(partition, start);
			this.lost.addAndGet(partition, start - unseen);
			logger.error(
					"Partition {} of the log has lost {} records before every reader had read them: they were removed by"
							+ " age or size. Find the reader that stands still; raise the retention of the streams",
					partition, start - unseen);
		}
	}

	/** Only a stream that has lost its beginning is one that the broker cuts. */
	private void warn(int partition, long start, long end, long below) {
		boolean risk = start > 0 && below >= start && below < end && below - start < (end - start) / OLDEST;
		if (this.risks.getAndSet(partition, risk ? 1 : 0) == 0 && risk) {
			logger.error(
					"Partition {} of the log is about to lose records that were not read: the slowest reader is at {},"
							+ " the broker removes what is at {}. Find that reader; raise the retention of the streams",
					partition, below, start);
		}
	}

	/** How many records were removed unread, since this process runs. */
	long lost() {
		return sum(this.lost);
	}

	/** In how many partitions unread records are about to be removed. */
	long risks() {
		return sum(this.risks);
	}

	private static long sum(AtomicLongArray values) {
		long sum = 0;
		for (int i = 0; i < values.length(); i++) {
			sum += values.get(i);
		}
		return sum;
	}

}
