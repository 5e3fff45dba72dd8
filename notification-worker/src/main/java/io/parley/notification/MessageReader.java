package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogRecord;
import io.parley.log.worker.BatchHandler;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTasks;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Turns the messages of the log into tasks. Tasks and offset are stored together: no
 * message is left out, and none is planned twice.
 */
class MessageReader implements BatchHandler {

	private final TransactionTemplate transaction;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final TaskPlanner planner;

	private final PushTasks tasks;

	private final Runnable onTasks;

	private final Duration grace;

	private final Clock clock;

	private final long epoch;

	private volatile CountDownLatch stopped = new CountDownLatch(1);

	/**
	 * @param onTasks told when tasks were stored
	 */
	MessageReader(TransactionTemplate transaction, ReaderOffsets offsets, ParkedEvents parked, TaskPlanner planner,
			PushTasks tasks, Runnable onTasks, Duration grace, Clock clock, long epoch) {
		this.transaction = transaction;
		this.offsets = offsets;
		this.parked = parked;
		this.planner = planner;
		this.tasks = tasks;
		this.onTasks = onTasks;
		this.grace = grace;
		this.clock = clock;
		this.epoch = epoch;
	}

	/** Lets it wait again after a {@link #stop}. */
	void start() {
		this.stopped = new CountDownLatch(1);
	}

	/** Ends all waiting; what was waited for is read again later. */
	void stop() {
		this.stopped.countDown();
	}

	@Override
	public long nextOffset(int partition) {
		return this.offsets.next(NotificationWorker.READER, partition, this.epoch);
	}

	@Override
	public void handle(int partition, List<LogRecord> batch) {
		long stored = nextOffset(partition);
		List<PlacedMessage> messages = new ArrayList<>();
		List<Unreadable> unreadable = new ArrayList<>();
		for (LogRecord record : batch) {
			if (record.offset() >= stored) {
				read(record, messages, unreadable);
			}
		}
		if (awaitGrace(messages)) {
			store(partition, stored, batch.getLast().offset() + 1, this.planner.plan(messages), unreadable);
		}
	}

	private record Unreadable(LogRecord record, String reason) {
	}

	private void read(LogRecord record, List<PlacedMessage> messages, List<Unreadable> unreadable) {
		try {
			EventRecord event = EventRecord.decode(record.data());
			if (event.type().isMessage()) {
				messages
					.add(new PlacedMessage((MessagePosted) event.event(), Positions.of(this.epoch, record.offset())));
			}
		}
		catch (UnreadableEventException ex) {
			unreadable.add(new Unreadable(record, String.valueOf(ex.getMessage())));
		}
	}

	/** Who has a live session gets the messages meanwhile. False when it is stopping. */
	private boolean awaitGrace(List<PlacedMessage> messages) {
		Duration wait = messages.isEmpty() ? Duration.ZERO
				: Duration.between(this.clock.instant(), messages.getLast().message().sentAt().plus(this.grace));
		try {
			return !wait.isPositive()
					|| !this.stopped.await(Math.min(wait.toMillis(), this.grace.toMillis()), TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void store(int partition, long from, long next, List<PushTask> planned, List<Unreadable> unreadable) {
		if (next <= from) {
			return;
		}
		this.transaction.executeWithoutResult((status) -> {
			if (this.offsets.lock(NotificationWorker.READER, partition, this.epoch) == from) {
				unreadable.forEach((event) -> this.parked.park(NotificationWorker.READER, partition, this.epoch,
						event.record().offset(), event.reason(), event.record().data()));
				this.tasks.merge(planned);
				this.offsets.commit(NotificationWorker.READER, partition, this.epoch, next);
			}
		});
		if (!planned.isEmpty()) {
			this.onTasks.run();
		}
	}

}
