package io.parley.trace;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.parley.events.EventRecord;
import io.parley.events.RoomEvent;
import org.jspecify.annotations.Nullable;

/**
 * Records what happens to messages as traces. The trace id of a message is its id without
 * hyphens, so no process has to pass a context to another one, and the log and the events
 * carry nothing for it. The spans of a trace: {@code send} from the acceptance to the
 * confirmation, below it {@code append} to the log, {@code deliver} on each server with
 * readers, {@code store} and {@code push}. They contain ids of rooms, positions and
 * counts, but no text and no user.
 *
 * <p>
 * Spans are recorded for a share of all messages, the same in all processes, and for all
 * messages whose append fails or takes long, there without the spans of other processes.
 * Recording does not block and does not fail: spans that cannot be exported are dropped.
 * Safe for use by many threads.
 */
public final class MessageTracer implements AutoCloseable {

	/** A message that takes longer is always recorded. */
	static final Duration SLOW = Duration.ofSeconds(1);

	/** A process that stops does not wait longer for a receiver that does not answer. */
	private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

	private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");

	private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("messaging.message.id");

	private static final AttributeKey<String> ROOM = AttributeKey.stringKey("messaging.destination.name");

	private static final AttributeKey<Long> BATCH = AttributeKey.longKey("messaging.batch.message_count");

	private static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

	private static final AttributeKey<Long> POSITION = AttributeKey.longKey("parley.position");

	private static final AttributeKey<Long> DEVICES = AttributeKey.longKey("parley.push.devices");

	private static final AttributeKey<Boolean> RETRIED = AttributeKey.booleanKey("parley.push.retried");

	/** Null if nothing is recorded. */
	private final @Nullable SdkTracerProvider provider;

	private final Tracer tracer;

	private final double share;

	private MessageTracer(@Nullable SdkTracerProvider provider, double share) {
		this.provider = provider;
		this.tracer = ((provider != null) ? provider : TracerProvider.noop()).get("io.parley");
		this.share = share;
	}

	/** Returns an instance that records nothing. */
	public static MessageTracer off() {
		return new MessageTracer(null, 0);
	}

	/**
	 * Creates an instance that records a share of all messages, 0 to 1.
	 * @param exporter exports the spans
	 * @param resource describes this process
	 */
	static MessageTracer on(SpanProcessor exporter, Resource resource, double share) {
		return new MessageTracer(SdkTracerProvider.builder()
			.setIdGenerator(MessageTrace.IDS)
			.addSpanProcessor(exporter)
			.setResource(resource)
			.build(), share);
	}

	/** Returns whether anything is recorded. */
	public boolean isOn() {
		return this.provider != null;
	}

	/**
	 * Records that a message was appended to the log, or was not.
	 * @param position its position, or null if the append failed
	 * @param started when the append began
	 * @param failure why it failed, or null
	 */
	public void appended(RoomEvent message, @Nullable Long position, Instant started, @Nullable Throwable failure) {
		if (!isOn() || !message.type().isMessage()) {
			return;
		}
		Instant ended = Instant.now();
		MessageTrace trace = MessageTrace.of(message.id());
		boolean always = failure != null || Duration.between(message.sentAt(), ended).compareTo(SLOW) > 0;
		if (trace == null || !(always || trace.isIn(this.share))) {
			return;
		}
		Attributes attributes = attributes(message.room(), message.id(), position).build();
		SpanBuilder send = span("send", SpanKind.SERVER, attributes, message.sentAt()).setNoParent();
		end(trace.asRoot(send::startSpan), ended, failure);
		SpanBuilder append = span("append", SpanKind.PRODUCER, attributes, started).setParent(trace.belowRoot());
		end(append.startSpan(), ended, failure);
	}

	/**
	 * Records that this server has passed a message to its sessions.
	 * @param started when it was read from the log
	 */
	public void delivered(EventRecord message, long position, Instant started) {
		MessageTrace trace = sampled(message);
		if (trace != null) {
			record(trace, "deliver", SpanKind.CONSUMER, attributes(message, position).build(), started, Instant.now());
		}
	}

	/**
	 * Records that a message was stored in the database.
	 * @param started when the transaction began
	 * @param batch the number of events that it has stored
	 */
	public void stored(EventRecord message, long position, Instant started, int batch) {
		MessageTrace trace = sampled(message);
		if (trace != null) {
			record(trace, "store", SpanKind.CONSUMER, attributes(message, position).put(BATCH, batch).build(), started,
					Instant.now());
		}
	}

	/**
	 * Records that a user was notified of a message.
	 * @param started when the pushes were passed to the provider
	 * @param ended when it had answered
	 * @param devices the number of devices of the user
	 * @param retried whether the push has to be sent again to some of them
	 */
	public void pushed(EventRecord message, long position, Instant started, Instant ended, int devices,
			boolean retried) {
		MessageTrace trace = sampled(message);
		if (trace != null) {
			record(trace, "push", SpanKind.CLIENT,
					attributes(message, position).put(DEVICES, devices).put(RETRIED, retried).build(), started, ended);
		}
	}

	private @Nullable MessageTrace sampled(EventRecord message) {
		if (!isOn() || !message.type().isMessage()) {
			return null;
		}
		MessageTrace trace = MessageTrace.of(message.id());
		return (trace != null && trace.isIn(this.share)) ? trace : null;
	}

	private void record(MessageTrace trace, String name, SpanKind kind, Attributes attributes, Instant started,
			Instant ended) {
		end(span(name, kind, attributes, started).setParent(trace.belowRoot()).startSpan(), ended, null);
	}

	private static AttributesBuilder attributes(EventRecord message, long position) {
		return attributes(message.room(), message.id(), position);
	}

	private static AttributesBuilder attributes(String room, String message, @Nullable Long position) {
		// Without a position the attribute is left out.
		return Attributes.builder().put(SYSTEM, "parley").put(ROOM, room).put(MESSAGE, message).put(POSITION, position);
	}

	private SpanBuilder span(String name, SpanKind kind, Attributes attributes, Instant started) {
		return this.tracer.spanBuilder(name).setSpanKind(kind).setAllAttributes(attributes).setStartTimestamp(started);
	}

	private static void end(Span span, Instant ended, @Nullable Throwable failure) {
		if (failure != null) {
			span.setAttribute(ERROR, failure.getClass().getName());
			span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
		}
		span.end(ended);
	}

	/** Waits for the export of what is recorded, but not long. */
	@Override
	public void close() {
		if (this.provider != null) {
			this.provider.shutdown().join(CLOSE_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
		}
	}

}
