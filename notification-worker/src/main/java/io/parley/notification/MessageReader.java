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
 * Turns the messages of the log into tasks. Tasks and offset are stored together: no
 * message is left out, and none is planned twice.
 */
class MessageReader implements BatchHandler {

	/** Who is away can wait so long, and many messages change a task once. */
	private static final Duration TOGETHER = Duration.ofSeconds(2);

	/** When nobody can be told anyway, less work is left to the database. */
	private static final Duration TOGETHER_WITHOUT_PROVIDER = Duration.ofSeconds(10);

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
	 * @param onTasks told when tasks were stored
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
		long next = stored(partition);
		this.order.begin(partition, next);
		return next;
	}

	private long stored(int partition) {
		return this.offsets.next(NotificationWorker.READER, partition, this.epoch);
	}

	/**
	 * The messages of so long a time are stored at once: a quarter more or less, so that
	 * partitions do not all come to the database in the same moment.
	 */
	Duration together() {
		Duration usual = this.failures.any() ? TOGETHER_WITHOUT_PROVIDER : TOGETHER;
		return usual.multipliedBy(ThreadLocalRandom.current().nextInt(75, 126)).dividedBy(100);
	}

	@Override
	public @Nullable Instant writtenAt(LogRecord record) {
		return EventRecord.sentAt(record.data());
	}

	/**
	 * Stores some seconds of messages at a time, each when it is old enough.
	 * @throws NewerRecordException when only a newer build may read the next one
	 */
	@Override
	public void handle(int partition, List<LogRecord> batch) {
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
				if (!rest.isEmpty() && !awaitUntil(now.plus(together()))) {
					return;
				}
			}
		}
		if (rest.isEmpty() && readable.size() < fresh.size()) {
			entry(fresh.get(readable.size()), read);
		}
	}

	/**
	 * What a record says.
	 *
	 * @param due by then who has a live session has got it
	 * @param fault why it can't be read; null when it can
	 */
	private record Entry(LogRecord record, @Nullable PositionedMessage message, Instant due, @Nullable String fault) {
	}

	/** All up to the first one that only a newer build may read. */
	private List<Entry> readable(List<LogRecord> records, Instant now) {
		List<Entry> entries = new ArrayList<>();
		try {
			records.forEach((record) -> entries.add(entry(record, now)));
		}
		catch (NewerRecordException ex) {
			// It is told when it is the next one.
		}
		return entries;
	}

	/** What is there was sent by now, whatever the clock of its server said. */
	private Entry entry(LogRecord record, Instant now) {
		try {
			EventRecord event = EventRecord.decode(record.data());
			if (!event.type().isMessage()) {
				return new Entry(record, null, now, null);
			}
			MessagePosted message = (MessagePosted) event.event();
			Instant sentAt = message.sentAt().isBefore(now) ? message.sentAt() : now;
			PositionedMessage placed = new PositionedMessage(message, Positions.of(this.epoch, record.offset()),
					sentAt);
			return new Entry(record, placed, sentAt.plus(this.grace), null);
		}
		catch (UnreadableEventException ex) {
			return new Entry(record, null, now, String.valueOf(ex.getMessage()));
		}
	}

	/** False when it is stopping. */
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
