package io.parley.log.kafka;

import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes records that are old, or exceed the size limit, and were read by all readers.
 * The brokers remove nothing by themselves, so a stopped reader fills their disks; this
 * is logged as an error.
 */
final class KafkaRetention {

	private static final Logger logger = LoggerFactory.getLogger(KafkaRetention.class);

	private final KafkaLogSettings settings;

	private final Topic topic;

	private final List<KafkaPartitionState> states;

	/** For each partition, 1 while unread records take more space than they should. */
	private final AtomicIntegerArray risks;

	private final AtomicLong lost = new AtomicLong();

	KafkaRetention(KafkaLogSettings settings, Topic topic, List<KafkaPartitionState> states) {
		this.settings = settings;
		this.topic = topic;
		this.states = states;
		this.risks = new AtomicIntegerArray(states.size());
	}

	/**
	 * Trims a partition.
	 * @param below the offset below which every reader has read everything
	 */
	void trim(int partition, long below) {
		try {
			long excess = excess(partition);
			warn(partition, below, excess);
			long target = Math.min(below, Math.max(excess, olderThanRetention(partition, below)));
			if (target > this.states.get(partition).start()) {
				this.states.get(partition).startAt(this.topic.removeBelow(partition, target));
			}
		}
		catch (KafkaException ex) {
			logger.warn("Partition {} of the log could not be trimmed ({}); it will be retried", partition,
					ex.getMessage());
		}
	}

	/** Returns the offset below which records are older than the retention. */
	private long olderThanRetention(int partition, long below) {
		long since = this.topic.since(partition, this.settings.maxAge());
		return (since >= 0) ? since : below;
	}

	/**
	 * Returns the approximate offset below which records exceed the size limit, 0 if none
	 * do. Brokers remove whole segments, so one more segment may still be there.
	 */
	private long excess(int partition) {
		KafkaPartitionState state = this.states.get(partition);
		long size = this.topic.size(partition);
		long tooMuch = size - this.settings.maxLengthBytes() - this.settings.segmentBytes();
		if (tooMuch <= 0) {
			return 0;
		}
		double share = (double) tooMuch / size;
		return state.start() + (long) ((state.end() - state.start()) * share);
	}

	private void warn(int partition, long below, long excess) {
		boolean atRisk = excess > below;
		if (this.risks.getAndSet(partition, atRisk ? 1 : 0) == 0 && atRisk) {
			logger
				.error("Partition {} of the log is larger than {} bytes, because the slowest reader is at offset {} and"
						+ " the end is at {}. Unread records are not removed, so the disks of Kafka fill up: find that"
						+ " reader", partition, this.settings.maxLengthBytes(), below,
						this.states.get(partition).end());
		}
	}

	/** Checks whether records were removed before a reader had read them. */
	void checkLost(int partition, long next) {
		long start = this.states.get(partition).start();
		// A reader that begins at 0 is new and has missed nothing.
		if (next > 0 && start > next) {
			this.lost.addAndGet(start - next);
			logger.error("Partition {} of the log has lost {} records before a reader had read them: they were"
					+ " removed from the topic externally", partition, start - next);
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
