package io.parley.trace;

import java.util.HexFormat;
import java.util.UUID;
import java.util.function.Supplier;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.IdGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The ids of the trace of a message. They follow from the id of the message, so that each
 * process that reads the message from the log knows them.
 *
 * @param id the id of the message without hyphens
 */
record MessageTrace(String id) {

	/** The message of the root span that this thread starts. */
	private static final ScopedValue<MessageTrace> ROOT = ScopedValue.newInstance();

	/** For the SDK: generates the ids of a root span of a message, and random ones. */
	static final IdGenerator IDS = new IdGenerator() {

		@Override
		public String generateTraceId() {
			return ROOT.isBound() ? ROOT.get().id() : IdGenerator.random().generateTraceId();
		}

		@Override
		public String generateSpanId() {
			return ROOT.isBound() ? ROOT.get().rootSpan() : IdGenerator.random().generateSpanId();
		}

	};

	private static final int LENGTH = 36;

	/** The number of random bits that decide whether a trace is sampled. */
	private static final int RANDOM_BITS = 56;

	/** Returns the trace of a message, or null if the id is not a random UUID. */
	static @Nullable MessageTrace of(String message) {
		try {
			UUID id = UUID.fromString(message);
			HexFormat hex = HexFormat.of();
			return (id.version() == 4 && message.length() == LENGTH) ? new MessageTrace(
					hex.toHexDigits(id.getMostSignificantBits()) + hex.toHexDigits(id.getLeastSignificantBits()))
					: null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	/**
	 * Returns whether the trace belongs to a share of all traces, 0 to 1. The last 56
	 * bits decide, which are random in a UUID as in the trace ids of others.
	 */
	boolean isIn(double share) {
		long random = Long.parseUnsignedLong(this.id, this.id.length() - RANDOM_BITS / 4, this.id.length(), 16);
		return random < share * (1L << RANDOM_BITS);
	}

	/** Starts the root span. */
	<T> T asRoot(Supplier<T> start) {
		return ScopedValue.where(ROOT, this).call(start::get);
	}

	/** Returns the context of spans below the root span, which may not be here. */
	Context belowRoot() {
		return Context.root()
			.with(Span.wrap(SpanContext.createFromRemoteParent(this.id, rootSpan(), TraceFlags.getSampled(),
					TraceState.getDefault())));
	}

	/** Contains the version of the UUID, so it is never zero. */
	private String rootSpan() {
		return this.id.substring(0, Long.BYTES * 2);
	}

}
