package io.parley.server.timeline;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.RoomEvent;
import io.parley.log.AppendUnknownException;
import io.parley.log.RoomLog;
import io.parley.server.error.ErrorCode;
import io.parley.server.metrics.Histograms;
import io.parley.trace.MessageTracer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.stereotype.Component;

/**
 * Appends events to the log. An event counts as accepted once the log has confirmed it.
 * Safe for use by many threads.
 */
@Component
public class RoomWriter {

	private static final Logger log = LoggerFactory.getLogger(RoomWriter.class);

	private static final long WARN_EVERY_NANOS = TimeUnit.SECONDS.toNanos(10);

	private final AtomicLong warnedAt = new AtomicLong();

	private final RoomLog roomLog;

	private final PositionConverter positions;

	private final CurrentRecordFormat format;

	private final MessageTracer traces;

	private final Timer appendTimer;

	private final Counter confirmed;

	private final Counter refused;

	private final Counter unknown;

	RoomWriter(RoomLog log, PositionConverter positions, CurrentRecordFormat format, MessageTracer traces,
			MeterRegistry meters) {
		this.roomLog = log;
		this.positions = positions;
		this.format = format;
		this.traces = traces;
		this.appendTimer = Histograms.timer("chat.log.append", "Duration of appends to the log").register(meters);
		this.confirmed = meters.counter("chat.log.appends", "outcome", "confirmed");
		this.refused = meters.counter("chat.log.appends", "outcome", "refused");
		this.unknown = meters.counter("chat.log.appends", "outcome", "unknown");
	}

	/**
	 * Returns whether events of that type can be appended: not while records are written
	 * in a format that does not have it.
	 */
	public boolean canAppend(EventType type) {
		return type.isIn(this.format.current());
	}

	/**
	 * Appends an event without blocking. Events of one room that one thread appends keep
	 * their order.
	 * @return the place of the event, once it is durable; completed exceptionally with a
	 * {@link io.parley.server.error.ChatException} whose code says whether the event may
	 * still be in the log
	 */
	public CompletableFuture<RecentMessages.Place> append(RoomEvent event) {
		Timer.Sample timer = Timer.start();
		Instant started = Instant.now();
		byte[] bytes = EventRecord.of(event).encode(this.format.current());
		return this.roomLog.append(this.positions.partition(event.room()), bytes).handle((offset, failure) -> {
			timer.stop(this.appendTimer);
			if (failure != null) {
				Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
						? failure.getCause() : failure;
				this.traces.appended(event, null, started, cause);
				throw toChatException(cause);
			}
			this.confirmed.increment();
			long position = this.positions.position(offset);
			this.traces.appended(event, position, started, null);
			return new RecentMessages.Place(position, event.id(), event.type());
		});
	}

	private RuntimeException toChatException(Throwable cause) {
		warn(cause);
		if (cause instanceof AppendUnknownException) {
			this.unknown.increment();
			return ErrorCode.APPEND_UNKNOWN.because("The message may or may not have been accepted; "
					+ "send it again with the same clientId to be sure.");
		}
		this.refused.increment();
		return ErrorCode.LOG_UNAVAILABLE
			.because("It was not accepted, because the server can't store it now; try again in a moment.");
	}

	/** Logs the cause, which clients do not see, at most every 10 seconds. */
	private void warn(Throwable cause) {
		long now = System.nanoTime();
		long last = this.warnedAt.get();
		if ((last == 0 || now - last > WARN_EVERY_NANOS) && this.warnedAt.compareAndSet(last, now)) {
			log.warn("Appends to the log fail: {}", cause.getMessage());
		}
	}

}
