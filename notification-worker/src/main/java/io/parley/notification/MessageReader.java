package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.NewerRecordException;
import io.parley.events.Positions;
import io.parley.events.UnreadableEventException;
import io.parley.log.LogRecord;
import io.parley.log.worker.BatchHandler;
import io.parley.log.worker.BatchOrder;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Turns the messages of the log into tasks. Tasks and offset are stored together, so that
 * no message is left out or planned twice.
 */
class MessageReader implements BatchHandler {

	/**
	 * Delays tasks of offline users by this time, so that many messages update one task.
	 */
	private static final Duration BATCH_WINDOW = Duration.ofSeconds(2);

	/**
	 * A longer delay while the provider fails: no push can be delivered anyway, and the
	 * database has less work.
	 */
	private static final Duration BATCH_WINDOW_WITHOUT_PROVIDER = Duration.ofSeconds(10);

	private final BatchOrder order = new BatchOrder(NotificationWorker.READER);

	private final TransactionTemplate transaction;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final TaskPlanner planner;

	private final PushTaskRepository tasks;

	private final Runnable onTasks;

	private final ProviderFailures failures;

	private final Duration grace;

	private final Clock clock;

	private final long epoch;

	private volatile CountDownLatch stopped = new CountDownLatch(1);

	/**
	 * @param onTasks called when tasks were stored
	 */
	MessageReader(TransactionTemplate transaction, ReaderOffsets offsets, ParkedEvents parked, TaskPlanner planner,
			PushTaskRepository tasks, Runnable onTasks, ProviderFailures failures, Duration grace, Clock clock,
			long epoch) {
		this.transaction = transaction;
		this.offsets = offsets;
		this.parked = parked;
		this.planner = planner;
		this.tasks = tasks;
		this.onTasks = onTasks;
		this.failures = failures;
		this.grace = grace;
		this.clock = clock;
		this.epoch = epoch;
	}

	/** Permits waiting again after a {@link #stop}. */
	void start() {
		this.stopped = new CountDownLatch(1);
	}

	/** Ends all waiting. The records that were waited for are read again later. */
	void stop() {
		this.stopped.countDown();
	}

	@Override
	public long nextOffset(int partition) {
		long next = stored(partition);
		this.order.begin(partition, next);
		return next;
	}

	private long stored(int partition) {
		return this.offsets.next(NotificationWorker.READER, partition, this.epoch);
	}

	/**
	 * Returns the time for which messages are collected and stored at once. It varies by
	 * a quarter, so that the partitions do not all write to the database at the same
	 * moment.
	 */
	Duration batchWindow() {
		Duration usual = this.failures.any() ? BATCH_WINDOW_WITHOUT_PROVIDER : BATCH_WINDOW;
		return usual.multipliedBy(ThreadLocalRandom.current().nextInt(75, 126)).dividedBy(100);
	}

	@Override
	public @Nullable Instant writtenAt(LogRecord record) {
		return EventRecord.sentAt(record.data());
	}

	/**
	 * Stores some seconds of messages at a time, each when it is old enough. After a
	 * {@link #stop} nothing is stored any more.
	 * @throws NewerRecordException if only a newer build can read the next record
	 */
	@Override
	public void handle(int partition, List<LogRecord> batch) {
		if (this.stopped.getCount() == 0) {
			return;
		}
		long stored = stored(partition);
		this.order.check(partition, stored, batch.getFirst().offset());
		Instant read = this.clock.instant();
		List<LogRecord> fresh = batch.stream().filter((record) -> record.offset() >= stored).toList();
		List<Entry> readable = readable(fresh, read);
		List<Entry> rest = readable;
		long from = stored;
		while (!rest.isEmpty() && awaitUntil(rest.getFirst().due())) {
			Instant now = this.clock.instant();
			List<Entry> due = rest.stream().takeWhile((entry) -> !entry.due().isAfter(now)).toList();
			if (!due.isEmpty()) {
				long next = due.getLast().record().offset() + 1;
				store(partition, from, next, due);
				from = next;
				rest = rest.subList(due.size(), rest.size());
				if (!rest.isEmpty() && !awaitUntil(now.plus(batchWindow()))) {
					return;
				}
			}
		}
		if (rest.isEmpty() && readable.size() < fresh.size()) {
			entry(fresh.get(readable.size()), read);
		}
	}

	/**
	 * A decoded record.
	 *
	 * @param due the time by which live sessions have received the message
	 * @param fault why the record can't be read; null if it can
	 */
	private record Entry(LogRecord record, @Nullable PositionedMessage message, Instant due, @Nullable String fault) {
	}

	/** Decodes all records before the first one that only a newer build can read. */
	private List<Entry> readable(List<LogRecord> records, Instant now) {
		List<Entry> entries = new ArrayList<>();
		try {
			records.forEach((record) -> entries.add(entry(record, now)));
		}
		catch (NewerRecordException ex) {
			// It is reported when it is the next record to be stored.
		}
		return entries;
	}

	/**
	 * Decodes a record. A message in the log has been sent by now, whatever the clock of
	 * its server says.
	 */
	private Entry entry(LogRecord record, Instant now) {
		try {
			EventRecord event = EventRecord.decode(record.data());
			Instant sentAt = event.sentAt().isBefore(now) ? event.sentAt() : now;
			PositionedMessage message = message(event, Positions.of(this.epoch, record.offset()), sentAt);
			return new Entry(record, message, (message != null) ? sentAt.plus(this.grace) : now, null);
		}
		catch (UnreadableEventException ex) {
			return new Entry(record, null, now, String.valueOf(ex.getMessage()));
		}
	}

	/** Returns null for an event of which nobody is notified. */
	private static @Nullable PositionedMessage message(EventRecord event, long position, Instant sentAt) {
		if (event.type().isMessage()) {
			return PositionedMessage.of((MessagePosted) event.event(), position, sentAt);
		}
		return PositionedMessage.of(event, position, sentAt);
	}

	/** Returns false if the worker is stopping. */
	private boolean awaitUntil(Instant time) {
		Duration wait = Duration.between(this.clock.instant(), time);
		try {
			return !wait.isPositive() || !this.stopped.await(wait.toNanos(), TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private void store(int partition, long from, long next, List<Entry> entries) {
		List<PushTask> planned = this.planner
			.plan(entries.stream().map(Entry::message).filter(Objects::nonNull).toList());
		this.transaction.executeWithoutResult((status) -> {
			long stored = this.offsets.lock(NotificationWorker.READER, partition, this.epoch);
			this.order.check(partition, stored, from);
			if (stored == from) {
				entries.forEach((entry) -> park(partition, entry));
				this.tasks.merge(planned);
				this.offsets.commit(NotificationWorker.READER, partition, this.epoch, next);
			}
		});
		this.order.stored(partition);
		if (!planned.isEmpty()) {
			this.onTasks.run();
		}
	}

	private void park(int partition, Entry entry) {
		if (entry.fault() != null) {
			this.parked.park(NotificationWorker.READER, partition, this.epoch, entry.record().offset(), entry.fault(),
					entry.record().data());
		}
	}

}
