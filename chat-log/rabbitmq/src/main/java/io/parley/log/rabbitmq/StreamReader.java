package io.parley.log.rabbitmq;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import com.rabbitmq.stream.Consumer;
import com.rabbitmq.stream.ConsumerFlowStrategy;
import com.rabbitmq.stream.Environment;
import com.rabbitmq.stream.Message;
import com.rabbitmq.stream.MessageHandler;
import com.rabbitmq.stream.OffsetSpecification;
import com.rabbitmq.stream.Resource;
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.claim.ReaderRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream from an offset. The first poll connects. A lost connection is restored
 * automatically, and reading continues with the next record.
 */
final class StreamReader implements LogReader {

	private static final int CHUNKS = 4;

	private final Environment environment;

	private final String stream;

	private final int partition;

	private final ReaderRegistry registry;

	private final java.util.function.Consumer<Supplier<RuntimeException>> onLogEnd = this::end;

	private final RabbitRecordBuffer buffer = new RabbitRecordBuffer();

	private final Outage outage;

	private volatile long next;

	private volatile @Nullable Consumer consumer;

	private volatile boolean lost;

	private volatile boolean closed;

	StreamReader(Environment environment, String stream, int partition, long fromOffset, ReaderRegistry registry) {
		this.environment = environment;
		this.stream = stream;
		this.partition = partition;
		this.next = Math.max(0, fromOffset);
		this.outage = new Outage("Partition " + partition + " of the log can't be read");
		this.registry = registry;
		registry.add(this.onLogEnd);
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		this.buffer.throwIfEnded();
		if (this.consumer == null || this.lost) {
			this.outage.attempt(this::connect);
		}
		return this.buffer.take(maxRecords, TimeUnit.NANOSECONDS.convert(timeout));
	}

	private void connect() {
		Consumer made = this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(this.next))
			.flow()
			.strategy(ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(CHUNKS))
			.builder()
			.messageHandler(this::deliver)
			.listeners((change) -> this.lost = change.currentState() == Resource.State.CLOSED)
			.build();
		this.consumer = made;
		if (this.closed) {
			made.close();
		}
	}

	/**
	 * Buffers a record. After a lost connection records are delivered again from the
	 * start of their chunk; known ones are skipped.
	 */
	private void deliver(MessageHandler.Context context, Message message) {
		Envelope envelope = Envelope.of(message);
		if (context.offset() < this.next || envelope == null) {
			context.processed();
			return;
		}
		this.next = context.offset() + 1;
		this.buffer.add(new LogRecord(this.partition, context.offset(), envelope.data()), context);
	}

	@Override
	public void close() {
		this.registry.remove(this.onLogEnd);
		end(() -> new LogClosedException("The reader is closed"));
	}

	private void end(Supplier<RuntimeException> cause) {
		this.buffer.end(cause);
		this.closed = true;
		Consumer open = this.consumer;
		if (open != null) {
			open.close();
		}
	}

}
