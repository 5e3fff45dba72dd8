package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes {@link RabbitLogIdentity} records. Of several records with the same
 * number only the first is accepted: all writers use one producer name, and the broker
 * drops publishing ids that it has seen from that name. Processes that start at the same
 * time therefore agree.
 */
final class IdentityStream {

	private static final Duration TIMEOUT = Duration.ofSeconds(10);

	private static final String PRODUCER = "identity";

	private final Environment environment;

	private final String stream;

	IdentityStream(Environment environment, String stream) {
		this.environment = environment;
		this.stream = stream;
	}

	/** Returns a version that changes whenever a record is appended. */
	long version() {
		return StreamState.ask(this.environment, this.stream).newestChunk();
	}

	/** Returns the record that applies, or null if there is none. */
	@Nullable RabbitLogIdentity last() {
		StreamState state = StreamState.ask(this.environment, this.stream);
		if (state.isEmpty()) {
			return null;
		}
		CompletableFuture<RabbitLogIdentity> last = new CompletableFuture<>();
		ChunkFlow flow = new ChunkFlow();
		try (Consumer consumer = this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(state.newestChunk()))
			.flow()
			.strategy(flow)
			.builder()
			.messageHandler((context, message) -> {
				if (context.offset() + 1 == flow.end()) {
					last.complete(RabbitLogIdentity.decode(message.getBodyAsBinary()));
				}
			})
			.build()) {
			return await(last);
		}
	}

	/** Appends the record, unless there is one with the same or a higher number. */
	void offer(RabbitLogIdentity identity) {
		CompletableFuture<Boolean> confirm = new CompletableFuture<>();
		try (Producer producer = this.environment.producerBuilder().stream(this.stream).name(PRODUCER).build()) {
			producer.send(producer.messageBuilder().publishingId(identity.number()).addData(identity.encode()).build(),
					(status) -> confirm.complete(status.isConfirmed()));
			if (!await(confirm)) {
				throw new StreamException("The identity of the log was not confirmed");
			}
		}
	}

	private static <T> T await(CompletableFuture<T> future) {
		try {
			return future.get(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new StreamException("Interrupted while asking for the identity of the log", ex);
		}
		catch (ExecutionException | TimeoutException ex) {
			throw new StreamException("No answer about the identity of the log", ex);
		}
	}

}
