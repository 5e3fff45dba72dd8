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
import io.parley.log.LogClosedException;
import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.claim.ReaderRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream from an offset, with its own consumer until it has caught up with the
 * tail consumer of the process, and then together with it. Does so again when it has
 * fallen behind. The first poll connects. A lost connection is restored automatically,
 * and reading continues with the next record.
 */
final class StreamReader implements LogReader {

	private static final int CHUNKS = 4;

	private final Environment environment;

	private final String stream;

	private final int partition;

	private final TailReaders tail;

	private final ReaderRegistry registry;

	private final java.util.function.Consumer<Supplier<RuntimeException>> onLogEnd = this::end;

	private final RabbitRecordBuffer buffer = new RabbitRecordBuffer();

	private final Outage outage;

	private volatile long next;

	private volatile @Nullable Consumer consumer;

	private ResourceState consumerState = new ResourceState();

	/** Whether the tail consumer passes the records. */
	private volatile boolean joined;

	private volatile boolean closed;

	StreamReader(Environment environment, String stream, int partition, long fromOffset, TailReaders tail,
			ReaderRegistry registry) {
		this.environment = environment;
		this.stream = stream;
		this.partition = partition;
		this.next = Math.max(0, fromOffset);
		this.outage = new Outage("Partition " + partition + " of the log can't be read");
		this.tail = tail;
		this.registry = registry;
		registry.add(this.onLogEnd);
	}

	@Override
	public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
		this.buffer.throwIfEnded();
		if (!this.joined) {
			if (this.consumer == null || this.consumerState.isClosed()) {
				this.outage.attempt(this::connect);
			}
			else if (this.buffer.isEmpty() && this.tail.join(this)) {
				disconnect();
			}
		}
		return this.buffer.take(maxRecords, TimeUnit.NANOSECONDS.convert(timeout));
	}

	/**
	 * Makes the tail consumer pass the records, if everything before the next one was
	 * taken.
	 * @param from the first record that it can pass
	 * @return whether the next record is not before that one
	 */
	synchronized boolean join(long from) {
		this.joined = !this.closed && this.next >= from && this.buffer.isEmpty();
		return this.joined;
	}

	/**
	 * Buffers a record from the tail consumer.
	 * @return false if this reader takes no records from it, because it has fallen behind
	 */
	synchronized boolean offer(LogRecord record) {
		if (this.joined && record.offset() >= this.next) {
			if (this.buffer.isFull()) {
				this.joined = false;
			}
			else {
				this.next = record.offset() + 1;
				this.buffer.add(record, null);
			}
		}
		return this.joined && !this.closed;
	}

	private void disconnect() {
		Consumer own = this.consumer;
		this.consumer = null;
		if (own != null) {
			own.close();
		}
	}

	private void connect() {
		ResourceState state = new ResourceState();
		Consumer made = this.environment.consumerBuilder()
			.stream(this.stream)
			.offset(OffsetSpecification.offset(this.next))
			.flow()
			.strategy(ConsumerFlowStrategy.creditWhenHalfMessagesProcessed(CHUNKS))
			.builder()
			.messageHandler(this::deliver)
			.listeners(state)
			.build();
		this.consumerState = state;
		this.consumer = made;
		if (this.closed) {
			made.close();
		}
	}

	/**
	 * Buffers a record. After a lost connection records are delivered again from the
	 * start of their chunk; known ones are skipped.
	 */
	private synchronized void deliver(MessageHandler.Context context, Message message) {
		Envelope envelope = this.joined ? null : Envelope.of(message);
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
		this.tail.leave(this);
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
