package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.parley.log.worker.ReaderSettings;
import io.parley.log.worker.RetryBackoff;
import io.parley.store.push.Device;
import io.parley.store.push.DeviceRepository;
import io.parley.store.push.PushLogEntry;
import io.parley.store.push.PushLogRepository;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import io.parley.store.push.PushTaskRepository.Postponement;
import io.parley.store.push.PushTaskRepository.Retry;
import org.jspecify.annotations.Nullable;

import org.springframework.transaction.support.TransactionTemplate;

/**
 * Stores the results of batches, each in one transaction, and retries until they are
 * stored: pushes whose results are lost are sent again. Safe for use by many threads.
 */
class PushResults {

	/** Retries soon enough to store the results before the claim on the tasks ends. */
	private static final ReaderSettings RETRY_SETTINGS = new ReaderSettings(1, Duration.ZERO, Duration.ofMillis(100),
			Duration.ofSeconds(2));

	private final TransactionTemplate transaction;

	private final PushLogRepository log;

	private final PushTaskRepository tasks;

	private final DeviceRepository devices;

	private final MeterRegistry meters;

	private final Duration interval;

	private final Clock clock;

	private final AtomicInteger delayed = new AtomicInteger();

	private volatile CountDownLatch abandoned = new CountDownLatch(1);

	PushResults(TransactionTemplate transaction, PushLogRepository log, PushTaskRepository tasks,
			DeviceRepository devices, MeterRegistry meters, Duration interval, Clock clock) {
		this.transaction = transaction;
		this.log = log;
		this.tasks = tasks;
		this.devices = devices;
		this.meters = meters;
		for (PushLogEntry.Outcome outcome : PushLogEntry.Outcome.values()) {
			decisions(outcome);
		}
		this.interval = interval;
		this.clock = clock;
	}

	/** Permits {@link #store} to retry again after an {@link #abandon}. */
	void start() {
		this.abandoned = new CountDownLatch(1);
	}

	/** Ends all retries, because the process has no more time for them. */
	void abandon() {
		this.abandoned.countDown();
	}

	/**
	 * Returns whether there are results that could not be stored yet. Until they are
	 * stored, this process must take no tasks: their claims may have ended.
	 */
	boolean delayed() {
		return this.delayed.get() > 0;
	}

	/**
	 * Stores the results, and returns when they are stored.
	 * @throws RuntimeException if it was {@linkplain #abandon abandoned} before; the
	 * tasks are retried, and devices may be notified twice
	 */
	void store(TaskDecisions decisions, PushDelivery.Result delivered, String claim) throws InterruptedException {
		List<PushLogEntry> entries = concat(decisions.entries(), delivered.entries());
		Runnable writing = () -> this.transaction
			.executeWithoutResult((status) -> write(entries, decisions, delivered, claim));
		RuntimeException failure = attempt(writing);
		if (failure != null) {
			retry(writing, failure);
		}
		entries.forEach((entry) -> count(entry.outcome()));
	}

	private void retry(Runnable writing, RuntimeException first) throws InterruptedException {
		CountDownLatch abandoned = this.abandoned;
		RetryBackoff backoff = new RetryBackoff("Storing push results", RETRY_SETTINGS, abandoned);
		RuntimeException failure = first;
		this.delayed.incrementAndGet();
		try {
			while (failure != null) {
				if (abandoned.getCount() == 0) {
					throw failure;
				}
				backoff.pause(failure);
				failure = attempt(writing);
			}
			backoff.over();
		}
		finally {
			this.delayed.decrementAndGet();
		}
	}

	private static @Nullable RuntimeException attempt(Runnable writing) {
		try {
			writing.run();
			return null;
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	private void write(List<PushLogEntry> entries, TaskDecisions decisions, PushDelivery.Result delivered,
			String claim) {
		List<PushTask> ended = concat(decisions.ended(), delivered.ended());
		Stream<PushTask> others = Stream.concat(delivered.retries().stream().map(Retry::task),
				decisions.postponed().stream().map(Postponement::task));
		this.tasks.lock(Stream.concat(ended.stream(), others).toList());
		this.log.add(entries);
		this.tasks.done(ended, claim, this.clock.instant(), this.interval);
		this.tasks.retry(delivered.retries(), claim);
		this.tasks.postpone(decisions.postponed(), claim);
		delivered.gone().stream().sorted(Comparator.comparing(Device::id)).forEach(this.devices::removeUnchanged);
	}

	private static <T> List<T> concat(List<T> first, List<T> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	private void count(PushLogEntry.Outcome outcome) {
		decisions(outcome).increment();
	}

	private Counter decisions(PushLogEntry.Outcome outcome) {
		return this.meters.counter("chat.push.decisions", "outcome", outcome.name().toLowerCase(Locale.ROOT));
	}

}
