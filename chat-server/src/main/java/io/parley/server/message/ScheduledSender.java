package io.parley.server.message;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.parley.server.database.Database;
import io.parley.server.delivery.UserEvents;
import io.parley.server.delivery.UserEvents.Accepted;
import io.parley.server.delivery.UserEvents.ScheduledChanged;
import io.parley.server.delivery.UserEvents.ScheduledView;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ExceptionTranslator;
import io.parley.server.error.StoreFailures;
import io.parley.server.timeline.RecentMessages.Place;
import io.parley.store.scheduled.ScheduledMessage;
import io.parley.store.scheduled.ScheduledMessageRepository;
import io.parley.store.scheduled.ScheduledOutcome;
import jakarta.annotation.PreDestroy;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Sends scheduled messages when they are due. One job claims them and stores the
 * outcomes, both in batches. The messages of one user and room are sent one after the
 * other on a thread of their own, so that no user, room or partition waits for another
 * one. A message that may have been sent before is looked up first, and has the same
 * client id in each attempt.
 */
@Component
class ScheduledSender {

	private static final Logger log = LoggerFactory.getLogger(ScheduledSender.class);

	/** Bounds the threads and the memory for texts. */
	private static final int MAX_GROUPS = 128;

	private static final int PER_GROUP = 10;

	private static final int MAX_STORED = 500;

	private static final Duration LEASE = Duration.ofSeconds(20);

	/** For one message; longer than the hook and the log may take. */
	private static final Duration SEND_TIMEOUT = Duration.ofSeconds(12);

	/**
	 * The last message of a claim begins so early that its time is over with the claim.
	 */
	private static final long SEND_NANOS = LEASE.minus(SEND_TIMEOUT).toNanos();

	private static final Duration RETRY = Duration.ofSeconds(2);

	/** After this many failures for an unknown reason, the author decides what to do. */
	private static final int MAX_FAILURES = 3;

	private static final long IDLE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

	private static final int MAX_REASON = 1_000;

	private static final Executor THREADS = (task) -> Thread.ofVirtual().name("scheduled-post").start(task);

	private final ScheduledMessageRepository messages;

	private final ScheduledService scheduled;

	private final MessagePoster poster;

	private final UserEvents userEvents;

	private final Database database;

	private final Queue<ScheduledOutcome> outcomes = new ConcurrentLinkedQueue<>();

	/** How many users and rooms have messages that this server is sending. */
	private final AtomicInteger sending = new AtomicInteger();

	private long claimedAt = System.nanoTime() - IDLE_NANOS;

	private boolean idle = true;

	private volatile boolean stopped;

	ScheduledSender(ScheduledMessageRepository messages, ScheduledService scheduled, MessagePoster poster,
			UserEvents userEvents, Database database) {
		this.messages = messages;
		this.scheduled = scheduled;
		this.poster = poster;
		this.userEvents = userEvents;
		this.database = database;
	}

	@Scheduled(fixedDelay = 100)
	synchronized void run() {
		try {
			storeOutcomes();
			claim();
		}
		catch (RuntimeException ex) {
			log.debug("Failed to claim scheduled messages or to store their outcomes; trying again", ex);
		}
	}

	private void claim() {
		int free = MAX_GROUPS - this.sending.get();
		long now = System.nanoTime();
		if (this.stopped || free <= 0 || (this.idle && now - this.claimedAt < IDLE_NANOS)) {
			return;
		}
		this.claimedAt = now;
		String claim = UUID.randomUUID().toString();
		List<List<ScheduledMessage>> claimed = this.database
			.query(() -> this.messages.claim(free, PER_GROUP, claim, LEASE));
		this.idle = claimed.isEmpty() && this.sending.get() == 0;
		for (List<ScheduledMessage> group : claimed) {
			this.sending.incrementAndGet();
			Thread.ofVirtual().name("scheduled-" + group.getFirst().id()).start(() -> {
				try {
					send(group, now);
				}
				finally {
					this.sending.decrementAndGet();
				}
			});
		}
	}

	/** Sends messages of one user and room. After one that must wait, the others wait. */
	private void send(List<ScheduledMessage> group, long since) {
		Duration wait = null;
		for (ScheduledMessage message : group) {
			if (wait == null && (this.stopped || System.nanoTime() - since > SEND_NANOS)) {
				wait = Duration.ZERO;
			}
			if (wait != null) {
				this.outcomes.add(new ScheduledOutcome.Retry(message, wait, false));
				continue;
			}
			ScheduledOutcome outcome = attempt(message);
			this.outcomes.add(outcome);
			if (outcome instanceof ScheduledOutcome.Retry retry) {
				wait = retry.after();
			}
		}
	}

	private ScheduledOutcome attempt(ScheduledMessage message) {
		try {
			Place before = (message.attempts() > 1) ? posted(message) : null;
			return (before != null) ? new ScheduledOutcome.Sent(message, before.position())
					: new ScheduledOutcome.Sent(message, post(message).position());
		}
		catch (TimeoutException ex) {
			log.warn("Scheduled message {} was not confirmed within {}; it is looked up and tried again", message.id(),
					SEND_TIMEOUT);
			return new ScheduledOutcome.Retry(message, RETRY, true);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return new ScheduledOutcome.Retry(message, RETRY, true);
		}
		catch (ExecutionException ex) {
			return failure(message, ExceptionTranslator.ofMessage((ex.getCause() != null) ? ex.getCause() : ex));
		}
		catch (RuntimeException ex) {
			return failure(message, ExceptionTranslator.ofMessage(ex));
		}
	}

	/**
	 * Posts a message on another thread, so that whatever it waits for has a time limit.
	 */
	private Accepted post(ScheduledMessage message) throws InterruptedException, ExecutionException, TimeoutException {
		return CompletableFuture
			.supplyAsync(
					() -> this.poster.postScheduled(message.room(), message.username(), this.scheduled.draft(message)),
					THREADS)
			.thenCompose(Function.identity())
			.get(SEND_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	private ScheduledOutcome failure(ScheduledMessage message, ChatException failure) {
		boolean internal = failure.errorCode() == ErrorCode.INTERNAL;
		if (internal ? message.attempts() < MAX_FAILURES : failure.errorCode().status().is5xxServerError()) {
			return new ScheduledOutcome.Retry(message, RETRY,
					internal || failure.errorCode() == ErrorCode.APPEND_UNKNOWN);
		}
		try {
			// An earlier attempt may have been confirmed since.
			Place before = (message.attempts() > 1) ? posted(message) : null;
			if (before != null) {
				return new ScheduledOutcome.Sent(message, before.position());
			}
		}
		catch (RuntimeException ex) {
			return new ScheduledOutcome.Retry(message, RETRY, true);
		}
		String reason = failure.reason();
		return new ScheduledOutcome.Failed(message, failure.errorCode().code(),
				reason.substring(0, Math.min(reason.length(), MAX_REASON)));
	}

	private @Nullable Place posted(ScheduledMessage message) {
		return this.poster.posted(message.room(), message.username(), message.postedClientId());
	}

	private void storeOutcomes() {
		List<ScheduledOutcome> batch = new ArrayList<>();
		while (batch.size() < MAX_STORED && this.outcomes.peek() != null) {
			batch.add(this.outcomes.poll());
		}
		if (batch.isEmpty()) {
			return;
		}
		try {
			store(batch);
		}
		catch (RuntimeException ex) {
			if (StoreFailures.isUnavailable(ex)) {
				this.outcomes.addAll(batch);
				throw ex;
			}
			log.error("Failed to store the outcomes of scheduled messages; storing them one by one", ex);
			batch.forEach(this::storeAlone);
		}
	}

	private void storeAlone(ScheduledOutcome outcome) {
		try {
			store(List.of(outcome));
		}
		catch (RuntimeException ex) {
			log.error("Failed to store the outcome of scheduled message {}; it is tried again when its claim ends",
					outcome.message().id(), ex);
		}
	}

	private void store(List<ScheduledOutcome> batch) {
		Set<Long> stored = this.database.query(() -> this.messages.finish(batch));
		batch.stream().filter((outcome) -> stored.contains(outcome.message().id())).forEach(this::tell);
	}

	private void tell(ScheduledOutcome outcome) {
		ScheduledMessage message = outcome.message();
		switch (outcome) {
			case ScheduledOutcome.Sent sent -> tell(message, "sent", sent.position(), null, null);
			case ScheduledOutcome.Failed failed -> tell(message, "failed", null, failed.code(), failed.reason());
			case ScheduledOutcome.Retry retry -> log.debug("Scheduled message {} is tried again", message.id());
		}
	}

	private void tell(ScheduledMessage message, String change, @Nullable Long position, @Nullable String code,
			@Nullable String reason) {
		boolean sent = position != null;
		this.userEvents.send(message.username(),
				new ScheduledChanged(change,
						new ScheduledView(message.id(), message.room(), message.clientId(), message.sendAt(), change,
								message.version() + 1, sent ? null : message.body(), position, code, reason)));
	}

	/**
	 * Sends no more messages, waits for those that are under way, and stores their
	 * outcomes.
	 */
	@PreDestroy
	void stop() throws InterruptedException {
		this.stopped = true;
		long end = System.nanoTime() + SEND_TIMEOUT.toNanos();
		while (this.sending.get() > 0 && System.nanoTime() < end) {
			Thread.sleep(10);
		}
		run();
	}

}
