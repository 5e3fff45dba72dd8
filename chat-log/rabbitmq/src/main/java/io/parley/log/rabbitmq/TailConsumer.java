package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Resource;
import com.rabbitmq.stream.StreamException;
import org.jspecify.annotations.Nullable;

/**
 * Reads along at the end of a stream. Consumers get only what is committed, so a record
 * that is seen here is in the log; and the end of the log is known without asking.
 */
final class TailConsumer {

	private static final Duration PATIENCE = Duration.ofSeconds(10);

	private final Environment environment;

	private final String stream;

	private final long writer;

	private final RabbitPartitionState tail;

	private final UnreadBytes unread;

	private final RabbitAppender appender;

	private final ChunkFlow flow = new ChunkFlow();

	private final CompletableFuture<@Nullable Void> atEnd = new CompletableFuture<>();

	private volatile boolean lost;

	TailConsumer(Environment environment, String stream, long writer, RabbitPartitionState tail, UnreadBytes unread,
			RabbitAppender appender) {
		this.environment = environment;
		this.stream = stream;
		this.writer = writer;
		this.tail = tail;
		this.unread = unread;
		this.appender = appender;
	}

	/** Begins with the newest chunk. */
	void start(StreamState state) {
		if (state.isEmpty()) {
			this.atEnd.complete(null);
		}
		listen(Math.max(0, state.newestChunk()));
	}

	/** Waits until the end of the stream is known. */
	void awaitEnd() {
		try {
			this.atEnd.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StreamException("Interrupted while reading the end of " + this.stream, ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new StreamException("The end of " + this.stream + " did not come", ex);
		}
	}

	private void listen(long offset) {
		this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(offset))
			.flow()
			.strategy(this.flow)
			.builder()
			.messageHandler(this::see)
			.listeners((change) -> this.lost = change.currentState() == Resource.State.CLOSED)
			.build();
	}

	private void see(MessageHandler.Context context, Message message) {
		this.tail.endAt(context.offset() + 1);
		Envelope envelope = Envelope.of(message);
		this.unread.seen(context.offset(), this.flow.size(envelope), context.timestamp());
		if (envelope != null && envelope.writer() == this.writer) {
			this.appender.appended(envelope.sequence(), context.offset());
		}
		if (context.offset() + 1 == this.flow.end()) {
			this.atEnd.complete(null);
		}
	}

	/** The offset of the first record in the newest chunk that was read, -1 if none. */
	long newestChunk() {
		return this.flow.newest();
	}

	/** Listens anew when the client has given up. */
	void revive() {
		if (this.lost) {
			listen(this.tail.end());
		}
	}

}
