package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.StreamException;
import io.parley.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads the end of a stream as it grows. Consumers get only committed records, so a
 * record that is seen here is in the log, and the end of the log is known without asking
 * the broker.
 */
final class TailConsumer {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private final Environment environment;

	private final String stream;

	private final int partition;

	private final long writer;

	private final RabbitPartitionState state;

	private final UnreadBytes unreadBytes;

	private final RabbitAppender appender;

	private final TailReaders readers = new TailReaders();

	private final ChunkFlow flow = new ChunkFlow();

	private final CompletableFuture<@Nullable Void> atEnd = new CompletableFuture<>();

	private @Nullable Consumer consumer;

	private ResourceState consumerState = new ResourceState();

	TailConsumer(Environment environment, String stream, int partition, long writer, RabbitPartitionState state,
			UnreadBytes unreadBytes, RabbitAppender appender) {
		this.environment = environment;
		this.stream = stream;
		this.partition = partition;
		this.writer = writer;
		this.state = state;
		this.unreadBytes = unreadBytes;
		this.appender = appender;
	}

	/** Starts with the newest chunk. */
	void start(StreamState initial) {
		if (initial.isEmpty()) {
			this.atEnd.complete(null);
		}
		long from = Math.max(0, initial.newestChunk());
		this.readers.startAt(from);
		listen(from);
	}

	/** Returns the readers that get what this consumer gets. */
	TailReaders readers() {
		return this.readers;
	}

	/** Waits until the end of the stream is known. */
	void awaitEnd() {
		try {
			this.atEnd.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StreamException("Interrupted while reading the end of " + this.stream, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new StreamException("The end of " + this.stream + " was not reached in time", ex);
		}
	}

	private void listen(long offset) {
		ResourceState state = new ResourceState();
		this.consumer = this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(offset))
			.flow()
			.strategy(this.flow)
			.builder()
			.messageHandler(this::onMessage)
			.listeners(state)
			.build();
		this.consumerState = state;
	}

	private void onMessage(MessageHandler.Context context, Message message) {
		this.state.endAt(context.offset() + 1);
		Envelope envelope = Envelope.of(message);
		this.unreadBytes.add(context.offset(), this.flow.size(envelope), context.timestamp());
		if (envelope != null && envelope.writer() == this.writer) {
			this.appender.appended(envelope.sequence(), context.offset());
		}
		this.readers.add(context.offset(),
				(envelope != null) ? new LogRecord(this.partition, context.offset(), envelope.data()) : null);
		if (context.offset() + 1 == this.flow.end()) {
			this.atEnd.complete(null);
		}
	}

	/**
	 * Returns the offset of the first record in the newest chunk that was read, -1 if
	 * there is none.
	 */
	long newestChunk() {
		return this.flow.newest();
	}

	private void close() {
		if (this.consumer != null) {
			this.consumer.close();
		}
	}

	/** Reconnects if the client has given up. Called by one thread at a time. */
	void revive() {
		if (this.consumerState.isGivenUp()) {
			close();
			listen(this.state.end());
		}
	}

}
