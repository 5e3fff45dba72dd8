package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import com.rabbitmq.stream.Environment;
import io.parley.log.AppendRefusedException;
import io.parley.log.LogUnavailableException;

/** What this process holds of one partition. */
final class RabbitPartition {

	private static final Duration SECOND_LOOK = Duration.ofSeconds(1);

	private final Environment environment;

	private final String stream;

	private final StreamLeader leader;

	private final RabbitPartitionState tail = new RabbitPartitionState();

	private final UnreadBytes unread;

	private final InFlightLimit inFlight;

	private final RabbitAppender appender;

	private final TailConsumer echo;

	private final LossSuspicion suspicion = new LossSuspicion();

	private volatile boolean wentBack;

	RabbitPartition(Environment environment, String stream, RabbitLogSettings settings, InFlightLimit inFlight,
			long writer) {
		this.environment = environment;
		this.stream = stream;
		this.leader = new StreamLeader(settings, stream);
		this.unread = new UnreadBytes(environment, stream, settings);
		this.inFlight = inFlight;
		this.appender = new RabbitAppender(environment, stream, settings, inFlight, writer);
		this.echo = new TailConsumer(environment, stream, writer, this.tail, this.unread, this.appender);
		StreamState state = StreamState.ask(environment, stream);
		this.tail.startAt(state.start());
		this.echo.start(state);
	}

	void awaitEnd() {
		this.echo.awaitEnd();
	}

	String stream() {
		return this.stream;
	}

	RabbitPartitionState tail() {
		return this.tail;
	}

	RabbitAppender appender() {
		return this.appender;
	}

	/** Refuses what would make the broker remove unread records. */
	CompletableFuture<Long> append(byte[] record) {
		return this.unread.refusal(this.inFlight.bytes())
			.map((reason) -> CompletableFuture.<Long>failedFuture(new AppendRefusedException(reason)))
			.orElseGet(() -> this.appender.append(record));
	}

	/** Why an append would be refused now, or would wait for a confirm in vain. */
	Optional<String> trouble() {
		return this.appender.trouble().or(() -> this.unread.refusal(0));
	}

	/** Every reader has read what is below an offset. */
	void readTo(long offset) {
		this.unread.readTo(Math.max(offset, this.tail.start()));
	}

	UnreadBytes unread() {
		return this.unread;
	}

	/**
	 * Asks the broker where the stream begins, and repairs what the client has given up.
	 * @return false when the stream is certainly not the one that was read before: it has
	 * gone, or ends before records that were read from it
	 */
	boolean look() {
		return !this.wentBack && !this.suspicion.isCertainAfter(this::isTheSame);
	}

	private boolean isTheSame() {
		// First what was read: while the broker answers, more comes that the answer does
		// not know.
		long read = this.echo.newestChunk();
		StreamState state = StreamState.ask(this.environment, this.stream);
		if (state.newestChunk() < read && this.leader.ask().newestChunk() < read) {
			return false;
		}
		this.tail.startAt(state.start());
		this.unread.look();
		this.appender.revive();
		this.echo.revive();
		return true;
	}

	/**
	 * A reader has committed all below an offset, so the stream must reach up to there.
	 * It does not when a lone node has lost its last records with a power cut: new
	 * records would get their offsets, and the reader would pass them over.
	 */
	void requireAllBelow(long offset) throws InterruptedException {
		if (offset <= end()) {
			return;
		}
		Thread.sleep(SECOND_LOOK);
		long end = Math.max(end(), this.leader.ask().end());
		if (offset > end) {
			this.wentBack = true;
			throw new LogUnavailableException("Stream " + this.stream + " ends at " + end
					+ ", but a reader has read up to " + offset + ": records were lost, a new log must begin");
		}
	}

	private long end() {
		return Math.max(this.tail.end(), StreamState.ask(this.environment, this.stream).end());
	}

}
