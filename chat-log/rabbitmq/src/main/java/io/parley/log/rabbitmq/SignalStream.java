package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Producer;
import com.rabbitmq.stream.Resource;
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

	private final Semaphore permits = new Semaphore(MAX_IN_FLIGHT);

	private volatile @Nullable Producer producer;

	private volatile @Nullable Consumer<byte[]> listener;

	private volatile boolean producing;

	private volatile boolean listening;

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
		Producer current = this.producer;
		if (current == null || !this.producing || !this.permits.tryAcquire()) {
			return;
		}
		byte[] enveloped = Envelope.wrap(this.writer, 0, signal);
		try {
			current.send(current.messageBuilder().addData(enveloped).build(), (confirmation) -> this.permits.release());
		}
		catch (StreamException | IllegalStateException ex) {
			this.permits.release();
			logger.debug("A signal was dropped", ex);
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
		if (!this.producing) {
			RabbitTopology.declareSignals(this.environment, this.stream);
			this.producing = true;
			this.producer = this.environment.producerBuilder()
				.stream(this.stream)
				.maxUnconfirmedMessages(2 * MAX_IN_FLIGHT)
				.enqueueTimeout(Duration.ofMillis(1))
				.retryOnRecovery(false)
				.listeners((change) -> this.producing = change.currentState() != Resource.State.CLOSED)
				.build();
		}
		if (!this.listening) {
			this.listening = true;
			this.environment.consumerBuilder()
				.stream(this.stream)
				.offset(OffsetSpecification.next())
				.messageHandler((context, message) -> receive(receiver, message))
				.listeners((change) -> this.listening = change.currentState() != Resource.State.CLOSED)
				.build();
		}
	}

	private void receive(Consumer<byte[]> receiver, Message message) {
		Envelope envelope = Envelope.of(message);
		if (envelope != null && envelope.writer() != this.writer) {
			receiver.accept(envelope.data());
		}
	}

}
