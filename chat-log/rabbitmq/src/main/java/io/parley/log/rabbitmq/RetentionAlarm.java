package io.parley.log.rabbitmq;

import java.util.concurrent.atomic.AtomicLongArray;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the records that the broker still has with those that were read. The broker
 * removes old records, read or not; losses and risks are logged as errors.
 */
final class RetentionAlarm {

	private static final Logger logger = LoggerFactory.getLogger(RetentionAlarm.class);

	/** For each partition, the offset up to which losses were counted. */
	private final AtomicLongArray lostUpTo;

	/** For each partition, 1 while unread records take too much space or time. */
	private final AtomicLongArray risks;

	private final AtomicLongArray lost;

	RetentionAlarm(int partitions) {
		this.lostUpTo = new AtomicLongArray(partitions);
		this.risks = new AtomicLongArray(partitions);
		this.lost = new AtomicLongArray(partitions);
	}

	/**
	 * Checks a partition.
	 * @param below the offset below which every reader has read everything
	 */
	synchronized void check(int partition, RabbitPartition checked, long below) {
		checkLost(partition, checked.state().start(), below);
		warn(partition, checked.unreadBytes().isAtRisk(), checked.state().end(), below);
	}

	/** Checks whether records were removed before a reader had read them. */
	synchronized void checkLost(int partition, long start, long below) {
		long unseen = Math.max(below, this.lostUpTo.get(partition));
		if (start > unseen) {
			this.lostUpTo.set(partition, start);
			this.lost.addAndGet(partition, start - unseen);
			logger.error(
					"Partition {} of the log has lost {} records before every reader had read them: they were removed"
							+ " by age or size. Find the reader that has stopped or is too slow; raise the retention of"
							+ " the streams",
					partition, start - unseen);
		}
	}

	private void warn(int partition, boolean atRisk, long end, long below) {
		if (this.risks.getAndSet(partition, atRisk ? 1 : 0) == 0 && atRisk) {
			logger.error(
					"Unread records of partition {} of the log take half of the space or retention time of the"
							+ " stream. The slowest reader is at offset {}, the end is at {}. Appends are refused when"
							+ " the stream is full. Find that reader; raise the retention of the streams",
					partition, below, end);
		}
	}

	/** Returns how many records were removed unread since this process started. */
	long lost() {
		return sum(this.lost);
	}

	/** Returns in how many partitions unread records take too much space or time. */
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
