package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

import com.rabbitmq.stream.ConfirmationStatus;
import com.rabbitmq.stream.Constants;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Producer;
import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * Appends to one stream. The client batches concurrent appends into one frame; the
 * {@link TailConsumer} reports which records have reached the stream, and their offsets.
 *
 * <p>
 * After a lost connection nothing is sent twice: the client's own retry would duplicate
 * records whose confirmation was lost. The tail consumer finds the records that reached
 * the stream; the outcome of the others is unknown.
 */
final class RabbitAppender {

	/** Codes of records that have not left this process and never will. */
	private static final Set<Short> NEVER_SENT = Set.of(Constants.CODE_PRODUCER_NOT_AVAILABLE,
			Constants.CODE_PRODUCER_CLOSED, Constants.CODE_MESSAGE_ENQUEUEING_FAILED);

	/**
	 * Extra capacity, because the client receives a confirmation slightly later than the
	 * tail consumer sees the record.
	 */
	private static final int CONFIRM_HEADROOM = 10_000;

	private final Environment environment;

	private final String stream;

	private final RabbitLogSettings settings;

	private final InFlightLimit inFlight;

	private final long writer;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<Long, RabbitPendingAppend> pending = new ConcurrentHashMap<>();

	private Producer producer;

	private volatile ResourceState state = new ResourceState();

	private volatile boolean overdue;

	private volatile @Nullable String stopReason;

	private long next;

	RabbitAppender(Environment environment, String stream, RabbitLogSettings settings, InFlightLimit inFlight,
			long writer) {
		this.environment = environment;
		this.stream = stream;
		this.settings = settings;
		this.inFlight = inFlight;
		this.writer = writer;
		this.producer = connect(this.state);
	}

	/**
	 * Creates a producer. The client must never wait for its own limits, because that
	 * would block the caller. It has no confirm timeout either: a record that it drops
	 * from its memory could still be waiting in a buffer of the connection.
	 */
	private Producer connect(ResourceState state) {
		return this.environment.producerBuilder()
			.stream(this.stream)
			.maxUnconfirmedMessages(this.settings.maxInFlight() + CONFIRM_HEADROOM)
			.enqueueTimeout(Duration.ofMillis(1))
			.confirmTimeout(Duration.ZERO)
			.retryOnRecovery(false)
			.listeners(state)
			.build();
	}

	CompletableFuture<Long> append(byte[] record) {
		if (!this.inFlight.enter(record.length)) {
			return CompletableFuture.failedFuture(tooMany());
		}
		RabbitPendingAppend append = new RabbitPendingAppend(record.length,
				System.nanoTime() + this.settings.confirmTimeout().toNanos());
		this.lock.lock();
		try {
			long sequence = this.next++;
			this.pending.put(sequence, append);
			send(sequence, append, record);
		}
		finally {
			this.lock.unlock();
		}
		return append.confirm();
	}

	/**
	 * Returns why an append would be refused now, or would wait for a confirmation in
	 * vain.
	 */
	Optional<String> unavailableReason() {
		String reason = this.stopReason;
		if (reason == null && !this.state.isOpen()) {
			reason = unavailable().getMessage();
		}
		if (reason == null && (this.overdue || this.inFlight.isFull())) {
			reason = tooMany().getMessage();
		}
		return Optional.ofNullable(reason);
	}

	private void send(long sequence, RabbitPendingAppend append, byte[] record) {
		if (this.stopReason != null) {
			refuse(sequence, new AppendRefusedException(this.stopReason));
			return;
		}
		try {
			this.producer.send(
					this.producer.messageBuilder().addData(Envelope.wrap(this.writer, sequence, record)).build(),
					(status) -> answer(sequence, append, status));
		}
		catch (RuntimeException ex) {
			refuse(sequence, new AppendRefusedException(
					"The record could not be sent to " + this.settings.where() + " (" + ex.getMessage() + ")", ex));
		}
	}

	/**
	 * Handles the answer of the client. A confirmation does not contain the offset, and
	 * an error does not say what has happened to the record.
	 */
	private void answer(long sequence, RabbitPendingAppend append, ConfirmationStatus status) {
		if (!status.isConfirmed() && NEVER_SENT.contains(status.getCode())) {
			boolean full = status.getCode() == Constants.CODE_MESSAGE_ENQUEUEING_FAILED;
			refuse(sequence, full ? tooMany() : unavailable());
		}
		else if (append.answer()) {
			forget(sequence);
		}
	}

	/** Completes the append of a record that was seen in the stream. */
	void appended(long sequence, long offset) {
		RabbitPendingAppend append = forget(sequence);
		if (append != null) {
			append.confirm().complete(offset);
		}
	}

	/** Completes the appends that have waited too long; their outcome is unknown. */
	void expire(long now) {
		boolean unanswered = false;
		for (Map.Entry<Long, RabbitPendingAppend> entry : this.pending.entrySet()) {
			RabbitPendingAppend append = entry.getValue();
			if (append.isDue(now)) {
				if (append.expire()) {
					forget(entry.getKey());
				}
				else {
					unanswered = true;
				}
				if (!append.confirm().isDone()) {
					append.confirm().completeExceptionally(unknown());
				}
			}
		}
		this.overdue = unanswered;
	}

	private AppendUnknownException unknown() {
		return new AppendUnknownException("No confirmation from " + this.settings.where() + " within "
				+ this.settings.confirmTimeout().toMillis() + " ms: the record may or may not be in the log");
	}

	/** Creates a new producer if the client has given up the old one. */
	void revive() {
		if (!this.state.isGivenUp()) {
			return;
		}
		Producer old = this.producer;
		ResourceState newState = new ResourceState();
		Producer made = connect(newState);
		this.lock.lock();
		try {
			this.producer = made;
			this.state = newState;
			this.pending.values().forEach(RabbitPendingAppend::answer);
		}
		finally {
			this.lock.unlock();
		}
		old.close();
	}

	/**
	 * Refuses all further appends for this reason.
	 * @return the appends in flight
	 */
	List<CompletableFuture<Long>> stop(String reason) {
		this.lock.lock();
		try {
			this.stopReason = reason;
			return this.pending.values().stream().map(RabbitPendingAppend::confirm).toList();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void refuse(long sequence, AppendRefusedException reason) {
		RabbitPendingAppend append = forget(sequence);
		if (append != null) {
			append.confirm().completeExceptionally(reason);
		}
	}

	private @Nullable RabbitPendingAppend forget(long sequence) {
		RabbitPendingAppend append = this.pending.remove(sequence);
		if (append != null) {
			this.inFlight.leave(append.bytes());
		}
		return append;
	}

	private AppendRefusedException tooMany() {
		return new AppendRefusedException(this.settings.where() + " can't keep up or is blocked: " + this.inFlight
				+ " wait for confirmation. Try again later, and check the broker for a disk alarm");
	}

	private AppendRefusedException unavailable() {
		return new AppendRefusedException(this.settings.where()
				+ " is unavailable: the record is not in the log. Try again later; appends resume when it is back");
	}

}
