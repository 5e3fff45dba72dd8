package io.parley.log.kafka;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.parley.log.LogReplacedException;
import io.parley.log.kafka.TopicState.PartitionState;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Monitors an open log periodically. */
final class KafkaLogMonitor {

	private static final Logger logger = LoggerFactory.getLogger(KafkaLogMonitor.class);

	private static final Duration PERIOD = Duration.ofSeconds(1);

	/** A broker that is behind may report an old state once or twice. */
	private static final int THRESHOLD = 3;

	private final Topic topic;

	private final LossNotices lossNotices;

	private final String id;

	private final String where;

	private final List<KafkaPartitionState> states;

	private final KafkaAppender appender;

	private final KafkaReaders readers;

	private final ScheduledExecutorService scheduler = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("room-log-watch").daemon().factory());

	private int suspicions;

	private boolean lost;

	private boolean unreachable;

	private boolean ended;

	KafkaLogMonitor(Topic topic, LossNotices lossNotices, String id, String where, List<KafkaPartitionState> states,
			KafkaAppender appender, KafkaReaders readers) {
		this.topic = topic;
		this.lossNotices = lossNotices;
		this.id = id;
		this.where = where;
		this.states = states;
		this.appender = appender;
		this.readers = readers;
	}

	void start() {
		this.scheduler.scheduleWithFixedDelay(() -> {
			try {
				check();
			}
			catch (RuntimeException ex) {
				logger.warn("The log check failed; it will be retried", ex);
			}
		}, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
	}

	void stop() {
		this.scheduler.shutdownNow();
	}

	private void check() {
		if (this.ended) {
			return;
		}
		this.appender.revive();
		try {
			// Read before the brokers are asked, because appends continue meanwhile.
			List<Long> known = this.states.stream().map(KafkaPartitionState::end).toList();
			String reason = compare(this.topic.state(), known);
			noteReachability(this.appender.isReady() ? null
					: new KafkaException("the producer has no metadata of the topic yet"));
			suspect(reason);
		}
		catch (UnknownTopicOrPartitionException ex) {
			this.lost = false;
			suspect("Topic '" + this.topic.name() + "' was deleted: restart this process, which then begins a new log");
		}
		catch (KafkaException ex) {
			noteReachability(ex);
		}
	}

	/**
	 * Applies the state that the brokers report. Returns what is wrong with it, or null.
	 */
	private @Nullable String compare(TopicState topicState, List<Long> known) {
		this.lost = false;
		if (!topicState.id().equals(this.id)) {
			return "Topic '" + this.topic.name()
					+ "' was replaced, or has lost records: restart this process, which then joins the new log";
		}
		boolean lost = false;
		for (int number = 0; number < this.states.size(); number++) {
			lost |= isShorter(number, topicState, known.get(number));
		}
		this.lost = lost;
		return lost ? "Topic '" + this.topic.name()
				+ "' has lost records that were confirmed or read: restart this process, which then begins a new log"
				: null;
	}

	private boolean isShorter(int number, TopicState topicState, long known) {
		KafkaPartitionState state = this.states.get(number);
		PartitionState partition = topicState.partitions().get(number);
		state.unavailableReason(topicState.unavailableReason(number));
		if (state.isTruncated() || partition.isKnown() && partition.end() < known) {
			return true;
		}
		if (partition.isKnown()) {
			state.startAt(partition.start());
			state.endAt(partition.end());
		}
		return false;
	}

	private void suspect(@Nullable String reason) {
		this.suspicions = (reason != null) ? this.suspicions + 1 : 0;
		if (reason != null && this.suspicions >= THRESHOLD) {
			if (this.lost) {
				this.lossNotices.publish();
			}
			end(reason);
		}
	}

	private void noteReachability(@Nullable KafkaException cause) {
		if (this.scheduler.isShutdown()) {
			return;
		}
		if (cause != null && !this.unreachable) {
			logger.warn("{} does not answer ({}); the log resumes when it does", this.where, cause.getMessage());
		}
		else if (cause == null && this.unreachable) {
			logger.info("{} answers again", this.where);
		}
		this.unreachable = cause != null;
		if (cause != null) {
			this.states.forEach((state) -> state.unavailableReason(this.where
					+ " is unavailable: the record is not in the log. Try again later; appends resume when it is"
					+ " back"));
		}
	}

	/**
	 * Ends the log: its offsets, and the positions derived from them, would now refer to
	 * other records.
	 */
	private void end(String sentence) {
		logger.error(sentence);
		this.ended = true;
		this.appender.stop(sentence);
		this.readers.registry().end(() -> new LogReplacedException(sentence));
	}

}
