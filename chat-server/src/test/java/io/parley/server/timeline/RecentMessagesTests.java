package io.parley.server.timeline;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.server.timeline.RecentMessages.Place;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

class RecentMessagesTests {

	private final RecentMessages recent = new RecentMessages();

	@Test
	void givesARetryThePositionOfTheAppendInFlight() {
		CompletableFuture<Place> append = new CompletableFuture<>();
		CompletableFuture<Place> first = this.recent.once("r", "anna", "c1", () -> append);
		CompletableFuture<Place> retry = this.recent.once("r", "anna", "c1", RecentMessagesTests::unexpected);
		assertThat(retry).isNotDone();
		append.complete(new Place(7, "id", EventType.MESSAGE_POSTED));
		assertThat(first).isCompletedWithValue(new Place(7, "id", EventType.MESSAGE_POSTED));
		assertThat(retry).isCompletedWithValue(new Place(7, "id", EventType.MESSAGE_POSTED));
	}

	@Test
	void givesALaterRetryThePositionReadFromTheLog() {
		this.recent.once("r", "anna", "c1",
				() -> CompletableFuture.completedFuture(new Place(7, "id1", EventType.MESSAGE_POSTED)));
		assertThat(this.recent.isFirst(record("c1"), 7)).isTrue();
		assertThat(this.recent.once("r", "anna", "c1", RecentMessagesTests::unexpected).join().position()).isEqualTo(7);
	}

	/**
	 * Two threads send the same message at the same moment, many times. The log is read
	 * before the append is confirmed.
	 */
	@Test
	void appendsConcurrentDuplicatesOnce() throws InterruptedException {
		int messages = 50_000;
		AtomicIntegerArray appends = new AtomicIntegerArray(messages);
		AtomicInteger arrived = new AtomicInteger();
		Runnable sender = () -> {
			for (int n = 0; n < messages; n++) {
				int message = n;
				arrived.incrementAndGet();
				while (arrived.get() < 2 * (n + 1)) {
					Thread.yield();
				}
				this.recent.once("r", "anna", "c" + n, () -> {
					appends.incrementAndGet(message);
					this.recent.isFirst(record("c" + message), message);
					return CompletableFuture.completedFuture(new Place(message, "id", EventType.MESSAGE_POSTED));
				}).join();
			}
		};
		Thread second = Thread.ofPlatform().start(sender);
		sender.run();
		second.join();
		assertThat(IntStream.range(0, messages).filter((n) -> appends.get(n) != 1)).isEmpty();
	}

	@Test
	void forgetsAnAppendThatFailed() {
		this.recent.once("r", "anna", "c1", () -> CompletableFuture.failedFuture(new IllegalStateException()));
		Place place = new Place(8, "id", EventType.MESSAGE_POSTED);
		assertThat(this.recent.once("r", "anna", "c1", () -> CompletableFuture.completedFuture(place)))
			.isCompletedWithValue(place);
	}

	@Test
	void forgetsAnAppendThatCouldNotBegin() {
		CompletableFuture<Place> failed = this.recent.once("r", "anna", "c1", () -> {
			throw new IllegalStateException("on purpose");
		});
		assertThat(failed).isCompletedExceptionally();
		Place place = new Place(8, "id", EventType.MESSAGE_POSTED);
		assertThat(this.recent.once("r", "anna", "c1", () -> CompletableFuture.completedFuture(place)))
			.isCompletedWithValue(place);
	}

	@Test
	void recognizesTheSecondOfTwoInTheLog() {
		assertThat(this.recent.isFirst(record("c1"), 7)).isTrue();
		assertThat(this.recent.isFirst(record("c1"), 9)).isFalse();
		assertThat(this.recent.isFirst(record("c1"), 7)).as("read again").isTrue();
		assertThat(this.recent.isFirst(record("c2"), 10)).isTrue();
	}

	@Test
	void recognizesARepetitionThatIsReadAgain() {
		this.recent.isFirst(record("c1"), 7);
		assertThat(this.recent.isDuplicate(record("c1"), 9)).isTrue();
		assertThat(this.recent.isDuplicate(record("c1"), 7)).isFalse();
		assertThat(this.recent.isDuplicate(record("c2"), 9)).isFalse();
	}

	@Test
	void forgetsTheOldestFirst() {
		for (int n = 0; n < 60_000; n++) {
			assertThat(this.recent.isFirst(record("c" + n), n)).isTrue();
		}
		for (int n = 50_000; n < 60_000; n++) {
			assertThat(this.recent.isFirst(record("c" + n), 100_000 + n)).as("message %d again", n).isFalse();
		}
	}

	/** A record that the tail cannot read is never passed to {@code isFirst}. */
	@Test
	void evictsAppendsThatAreNeverReadBack() {
		for (int n = 0; n < 60_000; n++) {
			Place place = new Place(n, "id", EventType.MESSAGE_POSTED);
			this.recent.once("r", "anna", "c" + n, () -> CompletableFuture.completedFuture(place));
		}
		assertThat(this.recent.awaitingReadBack()).isEqualTo(50_000);
		assertThat(this.recent.once("r", "anna", "c59999", RecentMessagesTests::unexpected).join().position())
			.isEqualTo(59_999);
	}

	@Test
	void countsNoUnreadAppendWhetherReadBeforeOrAfterItsConfirm() {
		CompletableFuture<Place> append = new CompletableFuture<>();
		this.recent.once("r", "anna", "before", () -> append);
		this.recent.isFirst(record("before"), 7);
		append.complete(new Place(7, "id", EventType.MESSAGE_POSTED));
		this.recent.once("r", "anna", "after",
				() -> CompletableFuture.completedFuture(new Place(8, "id", EventType.MESSAGE_POSTED)));
		this.recent.isFirst(record("after"), 8);
		assertThat(this.recent.awaitingReadBack()).isZero();
	}

	/** Another node has appended the same message before. */
	@Test
	void letsTheLogDecideWhichDuplicateIsFirst() {
		this.recent.once("r", "anna", "c1",
				() -> CompletableFuture.completedFuture(new Place(9, "id", EventType.MESSAGE_POSTED)));
		assertThat(this.recent.isFirst(record("c1"), 7)).isTrue();
		assertThat(this.recent.isFirst(record("c1"), 9)).isFalse();
		assertThat(this.recent.once("r", "anna", "c1", RecentMessagesTests::unexpected).join().position()).isEqualTo(7);
	}

	private static EventRecord record(String clientId) {
		return EventRecord.of(new MessagePosted("r", "id", "anna", clientId, Instant.EPOCH, "text", Map.of()));
	}

	private static CompletableFuture<Place> unexpected() {
		return fail("appended twice");
	}

}
