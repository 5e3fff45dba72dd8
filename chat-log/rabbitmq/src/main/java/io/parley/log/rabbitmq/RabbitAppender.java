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
import com.rabbitmq.stream.Resource;
import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one stream. The client gathers what is appended at the moment into one frame;
 * the {@link TailConsumer} tells which records have come into the stream and where.
 *
 * <p>
 * After a lost connection nothing is sent twice: the client's own repetition would double
 * records whose confirm was lost. Those that are in the stream are found there by the
 * echo, the others become unknown.
 */
final class RabbitAppender {

	/** These records have not left this process and will not. */
	private static final Set<Short> NEVER_SENT = Set.of(Constants.CODE_PRODUCER_NOT_AVAILABLE,
			Constants.CODE_PRODUCER_CLOSED, Constants.CODE_MESSAGE_ENQUEUEING_FAILED);

	/** The client hears of a confirm a little later than the echo of the record. */
	private static final int CONFIRMS_UNDER_WAY = 10_000;

	private final Environment environment;

	private final String stream;

	private final RabbitLogSettings settings;

	private final InFlightLimit inFlight;

	private final long writer;

	private final ReentrantLock lock = new ReentrantLock();

	private final Map<Long, RabbitPendingAppend> pending = new ConcurrentHashMap<>();

	private Producer producer;

	private volatile boolean away;

	private volatile boolean lost;

	private volatile boolean overdue;

	private volatile @Nullable String refusal;

	private long next;

	RabbitAppender(Environment environment, String stream, RabbitLogSettings settings, InFlightLimit inFlight,
			long writer) {
		this.environment = environment;
		this.stream = stream;
		this.settings = settings;
		this.inFlight = inFlight;
		this.writer = writer;
		this.producer = connect();
	}

	/**
	 * The client is never let wait for its own limits: it would block who appends. It
	 * keeps no time either: a record whose place in the memory it gives up could still be
	 * waiting in a buffer of the connection.
	 */
	private Producer connect() {
		return this.environment.producerBuilder()
			.stream(this.stream)
			.maxUnconfirmedMessages(this.settings.maxInFlight() + CONFIRMS_UNDER_WAY)
			.enqueueTimeout(Duration.ofMillis(1))
			.confirmTimeout(Duration.ZERO)
			.retryOnRecovery(false)
			.listeners(this::changed)
			.build();
	}

	private void changed(Resource.Context change) {
		this.away = change.currentState() != Resource.State.OPEN;
		this.lost = change.currentState() == Resource.State.CLOSED;
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

	/** Why an append would be refused now, or would wait for a confirm in vain. */
	Optional<String> trouble() {
		String reason = this.refusal;
		if (reason == null && this.away) {
			reason = away().getMessage();
		}
		if (reason == null && (this.overdue || this.inFlight.isFull())) {
			reason = tooMany().getMessage();
		}
		return Optional.ofNullable(reason);
	}

	private void send(long sequence, RabbitPendingAppend append, byte[] record) {
		if (this.refusal != null) {
			refuse(sequence, new AppendRefusedException(this.refusal));
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

	/** A confirm alone does not tell the offset, and an error not what has happened. */
	private void answer(long sequence, RabbitPendingAppend append, ConfirmationStatus status) {
		if (!status.isConfirmed() && NEVER_SENT.contains(status.getCode())) {
			boolean full = status.getCode() == Constants.CODE_MESSAGE_ENQUEUEING_FAILED;
			refuse(sequence, full ? tooMany() : away());
		}
		else if (append.answer()) {
			forget(sequence);
		}
	}

	/** The record was seen in the stream. */
	void appended(long sequence, long offset) {
		RabbitPendingAppend append = forget(sequence);
		if (append != null) {
			append.confirm().complete(offset);
		}
	}

	/** Gives up waiting for what has waited for too long. */
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
		return new AppendUnknownException("No confirm came from " + this.settings.where() + " within "
				+ this.settings.confirmTimeout().toMillis() + " ms: the record may be in the log or not");
	}

	/** Makes a new producer when the client has given up the old one. */
	void revive() {
		if (!this.lost) {
			return;
		}
		Producer made = connect();
		this.lock.lock();
		try {
			this.producer = made;
			this.pending.values().forEach(RabbitPendingAppend::answer);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes no more appends, for that reason.
	 * @return what is under way
	 */
	List<CompletableFuture<Long>> stop(String reason) {
		this.lock.lock();
		try {
			this.refusal = reason;
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
				+ " wait for their confirm. Try again later, and look whether the broker has a disk alarm");
	}

	private AppendRefusedException away() {
		return new AppendRefusedException(this.settings.where()
				+ " is away: the record is not in the log. Try again later; appends go on by themselves when it is back");
	}

}
