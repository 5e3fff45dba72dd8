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

/** Looks after an open log from time to time. */
final class KafkaLogMonitor {

	private static final Logger logger = LoggerFactory.getLogger(KafkaLogMonitor.class);

	private static final Duration PERIOD = Duration.ofSeconds(1);

	/** A broker that is behind may tell an old state once or twice. */
	private static final int ENOUGH = 3;

	private final Topic topic;

	private final LossNotices losses;

	private final String id;

	private final String where;

	private final List<KafkaPartitionState> tails;

	private final KafkaAppender appender;

	private final KafkaReaders readers;

	private final ScheduledExecutorService scheduler = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().name("room-log-watch").daemon().factory());

	private int suspicions;

	private boolean lost;

	private boolean away;

	private boolean ended;

	KafkaLogMonitor(Topic topic, LossNotices losses, String id, String where, List<KafkaPartitionState> tails,
			KafkaAppender appender, KafkaReaders readers) {
		this.topic = topic;
		this.losses = losses;
		this.id = id;
		this.where = where;
		this.tails = tails;
		this.appender = appender;
		this.readers = readers;
	}

	void start() {
		this.scheduler.scheduleWithFixedDelay(() -> {
			try {
				look();
			}
			catch (RuntimeException ex) {
				logger.warn("The log could not be looked after; it is tried again", ex);
			}
		}, PERIOD.toMillis(), PERIOD.toMillis(), TimeUnit.MILLISECONDS);
	}

	void stop() {
		this.scheduler.shutdownNow();
	}

	private void look() {
		if (this.ended) {
			return;
		}
		this.appender.revive();
		try {
			// Known before they are asked: appends go on meanwhile.
			List<Long> known = this.tails.stream().map(KafkaPartitionState::end).toList();
			String wrong = compare(this.topic.state(), known);
			noteAway(this.appender.isReady() ? null : new KafkaException("the producer does not know the topic yet"));
			suspect(wrong);
		}
		catch (UnknownTopicOrPartitionException ex) {
			this.lost = false;
			suspect("Topic '" + this.topic.name() + "' was deleted: restart this process, which then begins a new log");
		}
		catch (KafkaException ex) {
			noteAway(ex);
		}
	}

	/** Takes over what the brokers say; tells what is not as it was. */
	private @Nullable String compare(TopicState state, List<Long> known) {
		this.lost = false;
		if (!state.id().equals(this.id)) {
			return "Topic '" + this.topic.name()
					+ "' was replaced, or has lost records: restart this process, which then joins the new log";
		}
		boolean lost = false;
		for (int number = 0; number < this.tails.size(); number++) {
			lost |= isShorter(number, state, known.get(number));
		}
		this.lost = lost;
		return lost ? "Topic '" + this.topic.name()
				+ "' has lost records that were confirmed or read: restart this process, which then begins a new log"
				: null;
	}

	private boolean isShorter(int number, TopicState state, long known) {
		KafkaPartitionState tail = this.tails.get(number);
		PartitionState partition = state.partitions().get(number);
		tail.trouble(state.trouble(number));
		if (tail.wentBack() || partition.isKnown() && partition.end() < known) {
			return true;
		}
		if (partition.isKnown()) {
			tail.startAt(partition.start());
			tail.endAt(partition.end());
		}
		return false;
	}

	private void suspect(@Nullable String wrong) {
		this.suspicions = (wrong != null) ? this.suspicions + 1 : 0;
		if (wrong != null && this.suspicions >= ENOUGH) {
			if (this.lost) {
				this.losses.tell();
			}
			end(wrong);
		}
	}

	private void noteAway(@Nullable KafkaException cause) {
		if (this.scheduler.isShutdown()) {
			return;
		}
		if (cause != null && !this.away) {
			logger.warn("{} does not answer ({}); the log goes on by itself when it does", this.where,
					cause.getMessage());
		}
		else if (cause == null && this.away) {
			logger.info("{} answers again", this.where);
		}
		this.away = cause != null;
		if (cause != null) {
			this.tails.forEach((tail) -> tail.trouble(this.where
					+ " is away: the record is not in the log. Try again later; appends go on by themselves when it is back"));
		}
	}

	/** Its offsets, and the positions made from them, would mean something else now. */
	private void end(String sentence) {
		logger.error(sentence);
		this.ended = true;
		this.appender.stop(sentence);
		this.readers.endings().end(() -> new LogReplacedException(sentence));
	}

}
