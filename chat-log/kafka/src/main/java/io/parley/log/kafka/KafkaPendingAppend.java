package io.parley.log.kafka;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** An append in flight. It completes once, whatever the producer reports afterwards. */
final class KafkaPendingAppend implements Callback {

	private final CompletableFuture<Long> confirm = new CompletableFuture<>();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final KafkaLogSettings settings;

	private final KafkaPartitionState state;

	private final Consumer<@Nullable Exception> onEnd;

	private @Nullable Thread sending;

	private long endWhenSent;

	/**
	 * Creates the append.
	 * @param onEnd called once, with the failure or null
	 */
	KafkaPendingAppend(KafkaLogSettings settings, KafkaPartitionState state, Consumer<@Nullable Exception> onEnd) {
		this.settings = settings;
		this.state = state;
		this.onEnd = onEnd;
	}

	/**
	 * Passes the record to the producer. Failures that the producer reports on this
	 * thread meanwhile occur before it accepts the record.
	 */
	CompletableFuture<Long> send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
		this.sending = Thread.currentThread();
		this.endWhenSent = this.state.end();
		try {
			producer.send(record, this);
		}
		catch (IllegalStateException | InterruptException ex) {
			end(ex, refused(ex));
		}
		catch (RuntimeException ex) {
			end(ex, unknown(ex));
		}
		finally {
			this.sending = null;
		}
		return this.confirm;
	}

	@Override
	public void onCompletion(@Nullable RecordMetadata metadata, @Nullable Exception failure) {
		if (failure != null) {
			end(failure, isCertainlyNotInTheLog(failure) ? refused(failure) : unknown(failure));
		}
		else if (metadata == null || !metadata.hasOffset()) {
			// Sent twice, and the first time is so long ago that the brokers don't
			// remember it.
			IllegalStateException forgotten = new IllegalStateException("the brokers did not report its offset");
			end(forgotten, unknown(forgotten));
		}
		else if (!this.state.confirm(metadata.offset(), this.endWhenSent)) {
			IllegalStateException replaced = new IllegalStateException("the topic was replaced");
			end(replaced, unknown(replaced));
		}
		else if (this.ended.compareAndSet(false, true)) {
			this.onEnd.accept(null);
			this.confirm.complete(metadata.offset());
		}
	}

	/**
	 * Returns whether the record is certainly not in the log. The brokers check for these
	 * errors before they append.
	 */
	private boolean isCertainlyNotInTheLog(Exception failure) {
		return this.sending == Thread.currentThread() || failure instanceof RecordTooLargeException
				|| failure instanceof InvalidRecordException || failure instanceof AuthorizationException;
	}

	private void end(Exception failure, RuntimeException reported) {
		if (this.ended.compareAndSet(false, true)) {
			this.onEnd.accept(failure);
			this.confirm.completeExceptionally(reported);
		}
	}

	private AppendRefusedException refused(Exception failure) {
		String reason = (failure instanceof BufferExhaustedException) ? "can't keep up: the memory for appends is full"
				: "did not accept the record (" + failure.getMessage() + ")";
		return new AppendRefusedException(
				this.settings.where() + " " + reason + ". The record is not in the log; try again later", failure);
	}

	private AppendUnknownException unknown(Exception failure) {
		return new AppendUnknownException(
				"No confirmation from " + this.settings.where() + " within " + this.settings.confirmTimeout().toMillis()
						+ " ms (" + failure.getMessage() + "): the record may or may not be in the log",
				failure);
	}

}
