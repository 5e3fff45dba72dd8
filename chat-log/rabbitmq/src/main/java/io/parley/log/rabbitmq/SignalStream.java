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

/** Signals through a stream of their own that keeps them for a minute. */
final class SignalStream implements SignalBus {

	private static final Logger logger = LoggerFactory.getLogger(SignalStream.class);

	/** More are dropped: the broker is slow or away. */
	private static final int MAX_UNDER_WAY = 5_000;

	private final Environment environment;

	private final String stream;

	private final long writer;

	private final Semaphore space = new Semaphore(MAX_UNDER_WAY);

	private volatile @Nullable Producer producer;

	private volatile @Nullable Consumer<byte[]> listener;

	private volatile boolean producing;

	private volatile boolean listening;

	/**
	 * Makes nothing yet: workers have nothing to tell.
	 * @param writer tells this process from the others
	 */
	SignalStream(Environment environment, String stream, long writer) {
		this.environment = environment;
		this.stream = stream;
		this.writer = writer;
	}

	@Override
	public void publish(byte[] signal) {
		Producer current = this.producer;
		if (current == null || !this.producing || !this.space.tryAcquire()) {
			return;
		}
		byte[] enveloped = Envelope.wrap(this.writer, 0, signal);
		try {
			current.send(current.messageBuilder().addData(enveloped).build(), (confirmation) -> this.space.release());
		}
		catch (StreamException | IllegalStateException ex) {
			this.space.release();
			logger.debug("A signal was dropped", ex);
		}
	}

	@Override
	public void listen(Consumer<byte[]> listener) {
		this.listener = listener;
		revive();
	}

	/** Makes what is missing, and anew what the client has given up. */
	synchronized void revive() {
		Consumer<byte[]> heard = this.listener;
		if (heard == null) {
			return;
		}
		if (!this.producing) {
			RabbitTopology.declareSignals(this.environment, this.stream);
			this.producing = true;
			this.producer = this.environment.producerBuilder()
				.stream(this.stream)
				.maxUnconfirmedMessages(2 * MAX_UNDER_WAY)
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
				.messageHandler((context, message) -> hear(heard, message))
				.listeners((change) -> this.listening = change.currentState() != Resource.State.CLOSED)
				.build();
		}
	}

	private void hear(Consumer<byte[]> heard, Message message) {
		Envelope envelope = Envelope.of(message);
		if (envelope != null && envelope.writer() != this.writer) {
			heard.accept(envelope.data());
		}
	}

}
