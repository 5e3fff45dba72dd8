package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import io.parley.log.worker.ReaderSettings;
import io.parley.log.worker.RetryBackoff;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Takes tasks that are due, lets them be decided and delivered, and stores the results.
 * Several processes may do so at once. Tasks of a process that died are taken again after
 * a while. Their devices may then be notified twice, but no notification is lost.
 */
public class PushDispatcher implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(PushDispatcher.class);

	private static final int BATCH = 250;

	/** The size of a batch while the provider accepts nothing. */
	private static final int PROBE = 10;

	/**
	 * The number of batches in progress at once: while one waits for the provider, others
	 * are stored.
	 */
	private static final int BATCHES = 4;

	private static final Duration POLL = Duration.ofMillis(500);

	/**
	 * Together with the stop timeout of the reader it fits in the time that Compose and
	 * Kubernetes give.
	 */
	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(20);

	private final PushTaskRepository tasks;

	private final TaskDecider decider;

	private final PushDelivery delivery;

	private final PushResults results;

	private final PushTraces traces;

	private final PushProperties properties;

	private final Clock clock;

	private final Semaphore batches = new Semaphore(BATCHES);

	/** Released when tasks may be due; more than one permit makes no difference. */
	private final Semaphore wake = new Semaphore(0);

	private final ProviderFailures failures;

	private final PushClaims claims;

	private volatile CountDownLatch stopped = new CountDownLatch(0);

	private @Nullable Thread thread;

	PushDispatcher(PushTaskRepository tasks, TaskDecider decider, PushDelivery delivery, PushResults results,
			PushTraces traces, PushProperties properties, ProviderFailures failures, Clock clock) {
		this.tasks = tasks;
		this.decider = decider;
		this.delivery = delivery;
		this.results = results;
		this.traces = traces;
		this.properties = properties;
		this.failures = failures;
		this.claims = new PushClaims(tasks, properties.takeover(), clock);
		this.clock = clock;
	}

	/** Wakes the dispatcher after tasks were stored that may be due. */
	void wake() {
		this.wake.release();
	}

	@Override
	public synchronized void start() {
		if (!isRunning()) {
			CountDownLatch stop = new CountDownLatch(1);
			this.stopped = stop;
			this.results.start();
			this.thread = Thread.ofPlatform().name("push-dispatcher").start(() -> dispatch(stop));
		}
	}

	/** Starts no more batches, and waits for those in progress. */
	@Override
	public void stop() {
		stop(new Deadline(STOP_TIMEOUT, System::nanoTime));
	}

	synchronized void stop(Deadline deadline) {
		this.stopped.countDown();
		wake();
		try {
			Thread dispatching = this.thread;
			boolean ended = dispatching == null || dispatching.join(deadline.remaining());
			if (ended && this.batches.tryAcquire(BATCHES, deadline.remaining().toNanos(), TimeUnit.NANOSECONDS)) {
				this.batches.release(BATCHES);
			}
			else {
				this.results.abandon();
				logger.warn("Pushes in progress are abandoned; they are retried after {}", this.properties.takeover());
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public boolean isRunning() {
		return this.stopped.getCount() > 0;
	}

	private void dispatch(CountDownLatch stop) {
		RetryBackoff backoff = new RetryBackoff("Push dispatcher", ReaderSettings.of(BATCH), stop);
		long notBefore = System.nanoTime();
		try {
			while (stop.getCount() > 0) {
				if (step(backoff, System.nanoTime() - notBefore >= 0)) {
					notBefore = System.nanoTime() + this.failures.pause().toNanos();
				}
				else {
					this.wake.tryAcquire(POLL.toMillis(), TimeUnit.MILLISECONDS);
					this.wake.drainPermits();
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/** Returns whether a batch was started. */
	private boolean step(RetryBackoff backoff, boolean maySend) throws InterruptedException {
		try {
			this.claims.renew();
			boolean started = maySend && startBatch();
			backoff.over();
			return started;
		}
		catch (RuntimeException ex) {
			backoff.pause(ex);
			return false;
		}
	}

	/**
	 * Starts a batch if tasks are due, a further batch is permitted and no results are
	 * delayed.
	 * @return whether a batch was started
	 */
	private boolean startBatch() {
		if (this.results.delayed() || !this.batches.tryAcquire()) {
			return false;
		}
		String claim = UUID.randomUUID().toString();
		boolean started = false;
		try {
			Instant now = this.clock.instant();
			int limit = this.failures.any() ? PROBE : BATCH;
			List<PushTask> taken = this.tasks.take(limit, now, claim, now.plus(this.properties.takeover()));
			if (!taken.isEmpty()) {
				this.claims.add(claim);
				Thread.ofVirtual().name("push-" + claim).start(() -> run(taken, claim, now));
				started = true;
			}
		}
		finally {
			if (!started) {
				this.batches.release();
			}
		}
		return started;
	}

	private void run(List<PushTask> taken, String claim, Instant now) {
		try {
			process(taken, claim, now);
		}
		catch (RuntimeException ex) {
			logger.warn("{} push tasks failed; they are tried again after {}", taken.size(), this.properties.takeover(),
					ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.claims.remove(claim);
			this.batches.release();
			wake();
		}
	}

	private void process(List<PushTask> taken, String claim, Instant now) throws InterruptedException {
		TaskDecisions decisions = this.decider.decide(taken, now);
		Instant started = Instant.now();
		PushDelivery.Result result = this.delivery.deliver(decisions.sends(), now);
		Instant ended = Instant.now();
		this.results.store(decisions, result, claim);
		this.traces.record(decisions.sends(), result, started, ended);
		if (result.failed()) {
			this.failures.failed();
		}
		else if (!decisions.sends().isEmpty()) {
			this.failures.succeeded();
		}
	}

}
