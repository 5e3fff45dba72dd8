package io.parley.log.kafka;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what is old, or too much, and was read by all. The brokers remove nothing by
 * themselves, so a reader that stands still fills their disks: nobody may miss that.
 */
final class KafkaRetention {

	private static final Logger logger = LoggerFactory.getLogger(KafkaRetention.class);

	private final KafkaLogSettings settings;

	private final Topic topic;

	private final List<KafkaPartitionState> tails;

	/** For each partition 1 while unread records take more space than there should be. */
	private final AtomicIntegerArray risks;

	private final AtomicLong lost = new AtomicLong();

	KafkaRetention(KafkaLogSettings settings, Topic topic, List<KafkaPartitionState> tails) {
		this.settings = settings;
		this.topic = topic;
		this.tails = tails;
		this.risks = new AtomicIntegerArray(tails.size());
	}

	/**
	 * Trims a partition.
	 * @param below what every reader has read
	 */
	void trim(int partition, long below) {
		try {
			long excess = excess(partition);
			warn(partition, below, excess);
			long target = Math.min(below, Math.max(excess, old(partition, below)));
			if (target > this.tails.get(partition).start()) {
				this.tails.get(partition).startAt(this.topic.removeBelow(partition, target));
			}
		}
		catch (KafkaException ex) {
			logger.warn("Partition {} of the log could not be trimmed ({}); it is tried again", partition,
					ex.getMessage());
		}
	}

	/** What is below is older than the retention. */
	private long old(int partition, long below) {
		long since = this.topic.since(partition, this.settings.maxAge());
		return (since >= 0) ? since : below;
	}

	/**
	 * About what is too much, as the offset above it; 0 when nothing is. Brokers remove
	 * whole segments, so one more may still be there.
	 */
	private long excess(int partition) {
		KafkaPartitionState tail = this.tails.get(partition);
		long size = this.topic.size(partition);
		long tooMuch = size - this.settings.maxLengthBytes() - this.settings.segmentBytes();
		if (tooMuch <= 0) {
			return 0;
		}
		double share = (double) tooMuch / size;
		return tail.start() + (long) ((tail.end() - tail.start()) * share);
	}

	private void warn(int partition, long below, long excess) {
		boolean risk = excess > below;
		if (this.risks.getAndSet(partition, risk ? 1 : 0) == 0 && risk) {
			logger.error(
					"Partition {} of the log is larger than {} bytes, because the slowest reader is at {} and the end is"
							+ " {}. Nothing unread is removed, so the disks of Kafka fill up: find that reader",
					partition, this.settings.maxLengthBytes(), below, this.tails.get(partition).end());
		}
	}

	/** Looks whether records are gone that a reader has not read. */
	void checkLost(int partition, long next) {
		long start = this.tails.get(partition).start();
		// A reader that begins at 0 is new: it has missed nothing.
		if (next > 0 && start > next) {
			this.lost.addAndGet(start - next);
			logger.error("Partition {} of the log has lost {} records before a reader had read them: somebody has"
					+ " removed them from the topic", partition, start - next);
		}
	}

	long lost() {
		return this.lost.get();
	}

	long risks() {
		long sum = 0;
		for (int i = 0; i < this.risks.length(); i++) {
			sum += this.risks.get(i);
		}
		return sum;
	}

}
