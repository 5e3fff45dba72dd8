package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.StreamException;
import io.parley.log.SignalBus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signals through a stream of their own, which keeps them for a minute. */
final class SignalStream implements SignalBus {

	private static final Logger logger = LoggerFactory.getLogger(SignalStream.class);

	/** Further signals are dropped: the broker is slow or unavailable. */
	private static final int MAX_IN_FLIGHT = 5_000;

	private final Environment environment;

	private final String stream;

	private final long writer;

	private volatile @Nullable Sender sender;

	private volatile @Nullable Consumer<byte[]> listener;

	private @Nullable Listening listening;

	/**
	 * Creates nothing on the broker yet, because workers have nothing to publish.
	 * @param writer distinguishes this process from the others
	 */
	SignalStream(Environment environment, String stream, long writer) {
		this.environment = environment;
		this.stream = stream;
		this.writer = writer;
	}

	@Override
	public void publish(byte[] signal) {
		Sender current = this.sender;
		if (current != null && current.state().isOpen()) {
			current.send(Envelope.wrap(this.writer, 0, signal));
		}
	}

	@Override
	public void listen(Consumer<byte[]> listener) {
		this.listener = listener;
		revive();
	}

	/** Creates what is missing, and replaces what the client has given up. */
	synchronized void revive() {
		Consumer<byte[]> receiver = this.listener;
		if (receiver == null) {
			return;
		}
		Sender current = this.sender;
		if (current == null || current.state().isGivenUp()) {
			this.sender = connect();
			if (current != null) {
				current.producer().close();
			}
		}
		Listening former = this.listening;
		if (former == null || former.state().isGivenUp()) {
			if (former != null) {
				former.consumer().close();
			}
			ResourceState state = new ResourceState();
			com.rabbitmq.stream.Consumer consumer = this.environment.consumerBuilder()
				.stream(this.stream)
				.offset(OffsetSpecification.next())
				.messageHandler((context, message) -> receive(receiver, message))
				.listeners(state)
				.build();
			this.listening = new Listening(consumer, state);
		}
	}

	private Sender connect() {
		RabbitTopology.declareSignals(this.environment, this.stream);
		ResourceState state = new ResourceState();
		Producer producer = this.environment.producerBuilder()
			.stream(this.stream)
			.maxUnconfirmedMessages(2 * MAX_IN_FLIGHT)
			.enqueueTimeout(Duration.ofMillis(1))
			.retryOnRecovery(false)
			.listeners(state)
			.build();
		return new Sender(producer, state, new Semaphore(MAX_IN_FLIGHT));
	}

	private void receive(Consumer<byte[]> receiver, Message message) {
		Envelope envelope = Envelope.of(message);
		if (envelope != null && envelope.writer() != this.writer) {
			receiver.accept(envelope.data());
		}
	}

	private record Listening(com.rabbitmq.stream.Consumer consumer, ResourceState state) {
	}

	/**
	 * @param permits one for each signal that may wait for its confirmation
	 */
	private record Sender(Producer producer, ResourceState state, Semaphore permits) {

		/** Drops the signal if too many wait, or if it can't be sent. */
		void send(byte[] data) {
			if (!this.permits.tryAcquire()) {
				return;
			}
			try {
				this.producer.send(this.producer.messageBuilder().addData(data).build(),
						(confirmation) -> this.permits.release());
			}
			catch (StreamException | IllegalStateException ex) {
				this.permits.release();
				logger.debug("A signal was dropped", ex);
			}
		}

	}

}
