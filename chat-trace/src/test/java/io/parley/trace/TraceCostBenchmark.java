package io.parley.trace;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;

/**
 * Prints how much processor time the traces of a message cost the threads that append,
 * deliver and store it: four spans. The profile {@code benchmark} runs it.
 */
final class TraceCostBenchmark {

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private static final int MESSAGES = 10_000;

	private static final int ROUNDS = 100;

	private static final int WARM_UP = 20;

	private TraceCostBenchmark() {
	}

	public static void main(String[] arguments) {
		List<MessagePosted> messages = Stream.generate(TraceCostBenchmark::message).limit(MESSAGES).toList();
		try (MessageTracer off = MessageTracer.off();
				MessageTracer few = MessageTracer.on(exporter(), Resource.getDefault(), 0.01);
				MessageTracer all = MessageTracer.on(exporter(), Resource.getDefault(), 1)) {
			report("off", off, messages);
			report("on, share 0.01", few, messages);
			report("on, share 1", all, messages);
		}
	}

	private static void report(String name, MessageTracer traces, List<MessagePosted> messages) {
		List<EventRecord> records = messages.stream().map(EventRecord::of).toList();
		long start = 0;
		for (int round = 0; round < ROUNDS; round++) {
			if (round == WARM_UP) {
				start = THREADS.getCurrentThreadCpuTime();
			}
			Instant now = Instant.now();
			for (int n = 0; n < MESSAGES; n++) {
				traces.appended(messages.get(n), 42L, now, null);
				traces.delivered(records.get(n), 42, now);
				traces.stored(records.get(n), 42, now, MESSAGES);
			}
		}
		System.out.printf("%s: %,d ns of processor time a message%n", name,
				(THREADS.getCurrentThreadCpuTime() - start) / ((long) MESSAGES * (ROUNDS - WARM_UP)));
	}

	/** Sent in the future, so that no message counts as slow. */
	private static MessagePosted message() {
		return new MessagePosted("room-1", UUID.randomUUID().toString(), "anna", "c1",
				Instant.now().plus(1, ChronoUnit.HOURS).truncatedTo(ChronoUnit.MILLIS), "text", Map.of());
	}

	/** Its queue is full most of the time: then spans are made and dropped. */
	private static SpanProcessor exporter() {
		return BatchSpanProcessor.builder(new SpanExporter() {

			@Override
			public CompletableResultCode export(Collection<SpanData> spans) {
				return CompletableResultCode.ofSuccess();
			}

			@Override
			public CompletableResultCode flush() {
				return CompletableResultCode.ofSuccess();
			}

			@Override
			public CompletableResultCode shutdown() {
				return CompletableResultCode.ofSuccess();
			}

		}).build();
	}

}
