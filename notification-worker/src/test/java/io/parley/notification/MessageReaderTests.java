package io.parley.notification;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import io.parley.events.EventRecord;
import io.parley.events.EventType;
import io.parley.events.MessagePosted;
import io.parley.events.NewerRecordException;
import io.parley.events.RecordFormat;
import io.parley.log.LogRecord;
import io.parley.log.worker.SkippedRecordsException;
import io.parley.notification.PushFixture.Chat;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.push.PushTaskRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Records that are read together are not always planned together. The running worker
 * reads partition 0.
 */
@PushTest
@Timeout(60)
@Tag("slow")
class MessageReaderTests {

	private static final long EPOCH = 1;

	private static final Duration GRACE = Duration.ofHours(1);

	private static final Instant OLD = Instant.now().minusSeconds(60);

	private final PushFixture push;

	private final TransactionTemplate transaction;

	private final ReaderOffsets offsets;

	private final ParkedEvents parked;

	private final TaskPlanner planner;

	private final PushTaskRepository tasks;

	private final Semaphore stored = new Semaphore(0);

	private final ProviderFailures failures = new ProviderFailures();

	MessageReaderTests(PushFixture push, PlatformTransactionManager transactions, ReaderOffsets offsets,
			ParkedEvents parked, TaskPlanner planner, PushTaskRepository tasks) {
		this.push = push;
		this.transaction = new TransactionTemplate(transactions);
		this.offsets = offsets;
		this.parked = parked;
		this.planner = planner;
		this.tasks = tasks;
	}

	@Test
	void plansOldMessagesAndWaitsForTheRest() throws Exception {
		int partition = 7;
		Instant old = Instant.now().minus(GRACE);
		MessageReader reader = reader(GRACE);
		List<LogRecord> batch = posted(partition, old.minusSeconds(60), old, Instant.now(), Instant.now().plus(GRACE));
		Thread handling = Thread.startVirtualThread(() -> reader.handle(partition, batch));
		this.stored.acquire();
		assertThat(next(partition)).isEqualTo(2);
		reader.stop();
		handling.join();
		assertThat(next(partition)).isEqualTo(2);
	}

	/** The loop may poll once more before it stops too. */
	@Test
	void ignoresTheNextBatchAfterItWasStopped() {
		int partition = 6;
		MessageReader reader = reader(GRACE);
		List<LogRecord> batch = posted(partition, Instant.now(), Instant.now());
		reader.stop();
		reader.handle(partition, batch.subList(0, 1));
		reader.handle(partition, batch.subList(1, 2));
		assertThat(next(partition)).isZero();
	}

	@Test
	void waitsOnceForServersWhoseClocksAreAhead() {
		int partition = 8;
		Instant ahead = Instant.now().plus(GRACE);
		reader(Duration.ofMillis(100)).handle(partition,
				posted(partition, ahead, ahead.plusSeconds(1), ahead.plusSeconds(2)));
		assertThat(next(partition)).isEqualTo(3);
		assertThat(this.stored.availablePermits()).isOne();
	}

	@Test
	void refusesABatchAboveTheOffsetOfARestoredDatabase() {
		int partition = 9;
		List<LogRecord> batch = posted(partition, OLD, OLD, OLD, OLD);
		MessageReader reader = reader(Duration.ofMillis(1));
		reader.handle(partition, batch.subList(0, 2));
		this.offsets.commit(NotificationWorker.READER, partition, EPOCH, 1);
		assertThatExceptionOfType(SkippedRecordsException.class)
			.isThrownBy(() -> reader.handle(partition, batch.subList(2, 4)))
			.withMessageContaining("would skip the records from offset 1 to 1");
		assertThat(next(partition)).isEqualTo(1);
	}

	@Test
	void refusesToStoreHeldMessagesAfterTheDatabaseWasRestored() throws Exception {
		int partition = 10;
		Instant now = Instant.now();
		List<LogRecord> batch = posted(partition, OLD, now.plusSeconds(60));
		MessageReader reader = reader(Duration.ofSeconds(4));
		CompletableFuture<Void> handling = CompletableFuture.runAsync(() -> reader.handle(partition, batch));
		this.stored.acquire();
		this.offsets.commit(NotificationWorker.READER, partition, EPOCH, 0);
		assertThat(handling).failsWithin(Duration.ofSeconds(30))
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(SkippedRecordsException.class);
		assertThat(next(partition)).isZero();
	}

	@Test
	void storesLargerBatchesWhileTheProviderIsDown() {
		MessageReader reader = reader(GRACE);
		assertThat(reader.batchWindow()).isBetween(Duration.ofMillis(1_500), Duration.ofMillis(2_500));
		this.failures.failed();
		assertThat(reader.batchWindow()).isBetween(Duration.ofMillis(7_500), Duration.ofMillis(12_500));
		this.failures.succeeded();
		assertThat(reader.batchWindow()).isLessThanOrEqualTo(Duration.ofMillis(2_500));
	}

	@Test
	void skipsAnUnknownTypeWithoutParkingIt() {
		int partition = 12;
		long parked = this.parked.count(NotificationWorker.READER);
		reader(Duration.ZERO).handle(partition, List.of(later(partition, 0, EventRecord.COUNTS)));
		assertThat(next(partition)).isEqualTo(1);
		assertThat(this.parked.count(NotificationWorker.READER)).isEqualTo(parked);
	}

	@Test
	void stopsBeforeARecordThatOnlyANewerBuildMayRead() {
		int partition = 13;
		List<LogRecord> batch = List.of(later(partition, 0, 0), later(partition, 1, EventRecord.STOP),
				later(partition, 2, 0));
		MessageReader reader = reader(Duration.ZERO);
		for (int i = 0; i < 2; i++) {
			assertThatExceptionOfType(NewerRecordException.class).isThrownBy(() -> reader.handle(partition, batch));
			assertThat(next(partition)).isEqualTo(1);
		}
	}

	private static LogRecord later(int partition, long offset, int flags) {
		return new LogRecord(partition, offset, new EventRecord(new EventType(77, "poll.opened"), flags, "r", "id",
				"anna", "c" + offset, Instant.EPOCH, new byte[] { '}' })
			.encode(RecordFormat.V2));
	}

	private MessageReader reader(Duration grace) {
		MessageReader reader = new MessageReader(this.transaction, this.offsets, this.parked, this.planner, this.tasks,
				this.stored::release, this.failures, grace, Clock.systemUTC(), EPOCH);
		reader.start();
		return reader;
	}

	private long next(int partition) {
		return this.offsets.next(NotificationWorker.READER, partition, EPOCH);
	}

	private List<LogRecord> posted(int partition, Instant... times) {
		Chat chat = this.push.room("anna", "bert");
		return IntStream.range(0, times.length)
			.mapToObj((n) -> new LogRecord(partition, n,
					EventRecord
						.of(new MessagePosted(chat.id(), "id" + n, chat.name("anna"), "client" + n, times[n], "Hello",
								Map.of()))
						.encode()))
			.toList();
	}

}
