package io.parley.trace;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.parley.events.EventRecord;
import io.parley.events.MemberJoined;
import io.parley.events.MessagePosted;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class MessageTracerTests {

	private static final String NO_SPAN = "0000000000000000";

	private final InMemorySpanExporter spans = InMemorySpanExporter.create();

	private @Nullable MessageTracer traces;

	@AfterEach
	void close() {
		if (this.traces != null) {
			this.traces.close();
		}
	}

	@Test
	void joinsTheStepsOfAMessageInOneTrace() {
		MessagePosted message = message(Instant.now());
		EventRecord record = EventRecord.of(message);
		MessageTracer server = traces(1);
		server.appended(message, 42L, Instant.now(), null);
		// Another process knows only what is in the log.
		MessageTracer other = traces(1);
		other.delivered(record, 42, Instant.now());
		other.stored(record, 42, Instant.now(), 7);
		other.pushed(record, 42, Instant.now(), Instant.now(), 2, true);
		assertThat(finished()).extracting(SpanData::getName)
			.containsExactly("send", "append", "deliver", "store", "push");
		assertThat(finished()).extracting(SpanData::getTraceId).containsOnly(message.id().replace("-", ""));
		SpanData send = finished().getFirst();
		assertThat(send.getParentSpanId()).isEqualTo(NO_SPAN);
		assertThat(send.getKind()).isEqualTo(SpanKind.SERVER);
		assertThat(finished().subList(1, 5)).extracting(SpanData::getParentSpanId).containsOnly(send.getSpanId());
		assertThat(finished()).extracting(SpanData::getSpanId).doesNotHaveDuplicates();
		assertThat(finished()).allSatisfy((span) -> {
			assertThat(attribute(span, AttributeKey.stringKey("messaging.destination.name"))).isEqualTo("room-1");
			assertThat(attribute(span, AttributeKey.stringKey("messaging.message.id"))).isEqualTo(message.id());
			assertThat(attribute(span, AttributeKey.longKey("parley.position"))).isEqualTo(42);
			assertThat(span.getEndEpochNanos()).isGreaterThanOrEqualTo(span.getStartEpochNanos());
			assertThat(span.toString()).doesNotContain("secret").doesNotContain("anna");
		});
	}

	@Test
	void recordsNothingOutsideOfTheShare() {
		MessagePosted message = message(Instant.now());
		MessageTracer none = traces(0);
		none.appended(message, 42L, Instant.now(), null);
		none.delivered(EventRecord.of(message), 42, Instant.now());
		none.stored(EventRecord.of(message), 42, Instant.now(), 1);
		none.pushed(EventRecord.of(message), 42, Instant.now(), Instant.now(), 1, false);
		assertThat(finished()).isEmpty();
	}

	@Test
	void recordsEachFailure() {
		MessagePosted message = message(Instant.now());
		traces(0).appended(message, null, Instant.now(), new IllegalStateException("the disk is full"));
		assertThat(finished()).hasSize(2).allSatisfy((span) -> {
			assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
			assertThat(span.getStatus().getDescription()).isEqualTo("the disk is full");
			assertThat(attribute(span, AttributeKey.stringKey("error.type")))
				.isEqualTo("java.lang.IllegalStateException");
			assertThat(attribute(span, AttributeKey.longKey("parley.position"))).isNull();
		});
	}

	@Test
	void recordsEachSlowMessage() {
		Instant longAgo = Instant.now().minus(MessageTracer.SLOW).minusMillis(1);
		traces(0).appended(message(longAgo), 42L, Instant.now(), null);
		assertThat(finished()).extracting(SpanData::getName).containsExactly("send", "append");
		assertThat(
				Duration.ofNanos(finished().getFirst().getEndEpochNanos() - finished().getFirst().getStartEpochNanos()))
			.isGreaterThan(MessageTracer.SLOW);
	}

	@Test
	void leavesOutWhatIsNoMessage() {
		MemberJoined joined = new MemberJoined("room-1", UUID.randomUUID().toString(), "anna", now(), "bert");
		MessageTracer all = traces(1);
		all.appended(joined, 42L, Instant.now(), null);
		all.stored(EventRecord.of(joined), 42, Instant.now(), 1);
		assertThat(finished()).isEmpty();
	}

	@Test
	void recordsNothingWhenOff() {
		MessageTracer off = MessageTracer.off();
		MessagePosted message = message(Instant.now());
		off.appended(message, null, Instant.now(), new IllegalStateException());
		off.delivered(EventRecord.of(message), 42, Instant.now());
		off.close();
		assertThat(off.isOn()).isFalse();
	}

	private MessageTracer traces(double share) {
		MessageTracer created = MessageTracer.on(SimpleSpanProcessor.create(this.spans), Resource.empty(), share);
		this.traces = created;
		return created;
	}

	private List<SpanData> finished() {
		return this.spans.getFinishedSpanItems();
	}

	private static <T> @Nullable T attribute(SpanData span, AttributeKey<T> key) {
		return span.getAttributes().get(key);
	}

	private static MessagePosted message(Instant sentAt) {
		return new MessagePosted("room-1", UUID.randomUUID().toString(), "anna", "c1",
				sentAt.truncatedTo(ChronoUnit.MILLIS), "secret", Map.of());
	}

	private static Instant now() {
		return Instant.now().truncatedTo(ChronoUnit.MILLIS);
	}

}
