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

	/** For each partition up to where it is known that records were lost. */
	private final AtomicLongArray lostUpTo;

	/** For each partition 1 while unread records take too much of it. */
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
	synchronized void check(int partition, RabbitPartition looked, long below) {
		checkLost(partition, looked.tail().start(), below);
		warn(partition, looked.unread().isMuch(), looked.tail().end(), below);
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

	private void warn(int partition, boolean risk, long end, long below) {
		if (this.risks.getAndSet(partition, risk ? 1 : 0) == 0 && risk) {
			logger.error(
					"Unread records of partition {} of the log take half of the room or of the time that the stream has:"
							+ " the slowest reader is at {}, the end is {}. Appends are refused when it is full. Find"
							+ " that reader; raise the retention of the streams",
					partition, below, end);
		}
	}

	/** How many records were removed unread, since this process runs. */
	long lost() {
		return sum(this.lost);
	}

	/** In how many partitions unread records take too much room or time. */
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
