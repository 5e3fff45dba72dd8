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
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;

/** One record on its way. It ends once, whatever the producer says afterwards. */
final class KafkaPendingAppend implements Callback {

	private final CompletableFuture<Long> confirm = new CompletableFuture<>();

	private final AtomicBoolean ended = new AtomicBoolean();

	private final KafkaLogSettings settings;

	private final KafkaPartitionState tail;

	private final Consumer<@Nullable Exception> onEnd;

	private @Nullable Thread sending;

	private long endWhenSent;

	/**
	 * Begins to wait.
	 * @param onEnd told once, with what went wrong
	 */
	KafkaPendingAppend(KafkaLogSettings settings, KafkaPartitionState tail, Consumer<@Nullable Exception> onEnd) {
		this.settings = settings;
		this.tail = tail;
		this.onEnd = onEnd;
	}

	/**
	 * Hands the record to the producer. What the producer says on this thread meanwhile
	 * it says before it takes the record.
	 */
	CompletableFuture<Long> send(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record) {
		this.sending = Thread.currentThread();
		this.endWhenSent = this.tail.end();
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
	public void onCompletion(@Nullable RecordMetadata place, @Nullable Exception failure) {
		if (failure != null) {
			end(failure, isCertainlyNotInTheLog(failure) ? refused(failure) : unknown(failure));
		}
		else if (place == null || !place.hasOffset()) {
			// Sent twice, so long ago that the brokers don't remember the first time.
			IllegalStateException forgotten = new IllegalStateException("the brokers did not tell its offset");
			end(forgotten, unknown(forgotten));
		}
		else if (!this.tail.confirm(place.offset(), this.endWhenSent)) {
			IllegalStateException replaced = new IllegalStateException("the topic was replaced");
			end(replaced, unknown(replaced));
		}
		else if (this.ended.compareAndSet(false, true)) {
			this.onEnd.accept(null);
			this.confirm.complete(place.offset());
		}
	}

	/** The brokers look for these errors before they append. */
	private boolean isCertainlyNotInTheLog(Exception failure) {
		return this.sending == Thread.currentThread() || failure instanceof RecordTooLargeException
				|| failure instanceof InvalidRecordException || failure instanceof AuthorizationException;
	}

	private void end(Exception failure, RuntimeException told) {
		if (this.ended.compareAndSet(false, true)) {
			this.onEnd.accept(failure);
			this.confirm.completeExceptionally(told);
		}
	}

	private AppendRefusedException refused(Exception failure) {
		String reason = (failure instanceof BufferExhaustedException) ? "can't keep up: the memory for appends is full"
				: "did not get the record (" + failure.getMessage() + ")";
		return new AppendRefusedException(
				this.settings.where() + " " + reason + ". It is not in the log; try again later", failure);
	}

	private AppendUnknownException unknown(Exception failure) {
		return new AppendUnknownException(
				"No confirm came from " + this.settings.where() + " within " + this.settings.confirmTimeout().toMillis()
						+ " ms (" + failure.getMessage() + "): the record may be in the log or not",
				failure);
	}

}
