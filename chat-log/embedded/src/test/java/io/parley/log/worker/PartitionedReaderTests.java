package io.parley.log.worker;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/** Tests the read loop that both workers share, on the embedded log. */
class PartitionedReaderTests {

	private static final int PARTITIONS = 3;

	private static final int MAX_RECORDS = 10;

	@TempDir
	private Path directory;

	private final Recorder recorder = new Recorder();

	private RoomLog log;

	private PartitionedReader reader;

	@BeforeEach
	void open() {
		this.log = EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, PARTITIONS, Duration.ofDays(1), 0));
		this.reader = reader(this.recorder);
	}

	@AfterEach
	void close() {
		this.recorder.resume.countDown();
		this.reader.stop();
		this.log.close();
	}

	@Test
	void handsOverEachPartitionInOrderAndInBatchesOfABoundedLength() {
		append(100);
		this.reader.start();
		append(100);
		await().until(() -> this.recorder.handled() == 200 * PARTITIONS);
		assertThat(this.recorder.texts.values()).allSatisfy(
				(texts) -> assertThat(texts).isEqualTo(IntStream.range(0, 200).mapToObj((i) -> "" + i % 100).toList()));
		assertThat(this.recorder.largest).hasValueBetween(1, MAX_RECORDS);
		await().until(() -> this.reader.lag() == 0);
	}

	@Test
	void retriesAFailedBatchAndSkipsNothing() {
		this.recorder.failures.set(5);
		append(50);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 50 * PARTITIONS);
		assertThat(this.recorder.failures).hasValueLessThanOrEqualTo(0);
		assertThat(this.recorder.texts.values()).allSatisfy(
				(texts) -> assertThat(texts).isEqualTo(IntStream.range(0, 50).mapToObj((i) -> "" + i).toList()));
	}

	@Test
	void asksForTheStartOffsetUntilItIsAvailable() {
		this.recorder.unknown.set(4);
		append(10);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 10 * PARTITIONS);
	}

	@Test
	void beginsAtTheStartOffsetOfTheHandler() {
		append(30);
		IntStream.range(0, PARTITIONS).forEach((partition) -> this.recorder.next.put(partition, 25L));
		this.reader.start();
		await().until(() -> this.recorder.handled() == 5 * PARTITIONS);
		assertThat(this.recorder.texts.get(0)).containsExactly("25", "26", "27", "28", "29");
	}

	@Test
	void restartsAtTheOffsetOfTheHandlerInsteadOfSkippingRecords() {
		append(30);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 30 * PARTITIONS);
		this.recorder.next.replaceAll((partition, next) -> 20L);
		append(10);
		await().until(() -> this.recorder.handled() == 50 * PARTITIONS);
		assertThat(this.recorder.texts.values()).allSatisfy((texts) -> assertThat(texts.subList(30, 50))
			.isEqualTo(IntStream.range(20, 40).mapToObj((i) -> "" + i % 30).toList()));
	}

	@Test
	void continuesAfterRecordsThatTheLogHasRemoved() {
		BatchOrder order = new BatchOrder("test");
		order.begin(0, 5);
		order.check(0, 5, 8);
		order.stored(0);
		order.check(0, 9, 9);
		order.check(0, 9, 7);
		assertThatExceptionOfType(SkippedRecordsException.class).isThrownBy(() -> order.check(0, 5, 9));
		assertThatExceptionOfType(SkippedRecordsException.class).isThrownBy(() -> order.check(1, 5, 8));
	}

	@Test
	void measuresLagFromItsLastOffsetWhileItCannotClaimAgain() {
		append(30);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 30 * PARTITIONS);
		this.recorder.next.replaceAll((partition, next) -> 20L);
		this.recorder.unknown.set(1_000_000);
		append(10);
		// Each partition has given up its claim and fails to read its start offset.
		int asked = this.recorder.unknown.get();
		await().until(() -> this.recorder.unknown.get() < asked - 20 * PARTITIONS);
		for (int look = 0; look < 1_000; look++) {
			assertThat(this.reader.lag()).isEqualTo(10 * PARTITIONS);
		}
		this.recorder.unknown.set(0);
		await().until(() -> this.reader.lag() == 0);
	}

	@Test
	void measuresLagWhileTheStartOffsetIsUnavailable() {
		this.recorder.unknown.set(1_000_000);
		this.reader.start();
		await().until(() -> this.recorder.unknown.get() < 1_000_000 - 20 * PARTITIONS);
		append(10);
		assertThat(this.reader.lag()).isEqualTo(10 * PARTITIONS);
		this.recorder.unknown.set(0);
		await().until(() -> this.recorder.handled() == 10 * PARTITIONS);
	}

	@Test
	void measuresLagAfterItsThreadHasDied() throws Exception {
		append(10);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 10 * PARTITIONS);
		Set<Thread> threads = threads();
		this.recorder.dies = true;
		append(10);
		for (Thread thread : threads) {
			thread.join();
		}
		assertThat(this.reader.lag()).isEqualTo(10 * PARTITIONS);
	}

	private static Set<Thread> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("test-"))
			.collect(Collectors.toSet());
	}

	@Test
	void finishesTheCurrentBatchBeforeItStops() throws Exception {
		this.recorder.block = true;
		append(MAX_RECORDS * 2);
		this.reader.start();
		await().until(() -> this.recorder.blocked.get() == PARTITIONS);
		assertThat(this.reader.lag()).isEqualTo(MAX_RECORDS * 2 * PARTITIONS);
		Thread stopping = Thread.ofPlatform().start(this.reader::stop);
		assertThat(stopping.join(Duration.ofMillis(100))).isFalse();
		this.recorder.resume.countDown();
		stopping.join();
		assertThat(this.recorder.handled()).isEqualTo(MAX_RECORDS * PARTITIONS);
		assertThat(this.recorder.interrupted).isFalse();
		assertThat(this.reader.isRunning()).isFalse();
	}

	@Test
	void releasesItsPartitionsToTheNextReaderWhenItStops() {
		Recorder standby = new Recorder();
		PartitionedReader second = reader(standby);
		append(10);
		this.reader.start();
		await().until(() -> this.recorder.handled() == 10 * PARTITIONS);
		second.start();
		append(10);
		await().until(() -> this.recorder.handled() == 20 * PARTITIONS);
		assertThat(standby.handled()).isZero();
		assertThat(second.lag()).isZero();
		standby.next.putAll(this.recorder.next);
		this.reader.stop();
		append(10);
		await().until(() -> standby.handled() == 10 * PARTITIONS);
		second.stop();
		assertThat(this.recorder.handled()).isEqualTo(20 * PARTITIONS);
	}

	private PartitionedReader reader(BatchHandler handler) {
		return new PartitionedReader("test", this.log, handler,
				new ReaderSettings(MAX_RECORDS, Duration.ofMillis(50), Duration.ofMillis(1), Duration.ofMillis(10)),
				(replaced) -> {
				});
	}

	private void append(int count) {
		List<CompletableFuture<Long>> confirms = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			byte[] record = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
			for (int partition = 0; partition < PARTITIONS; partition++) {
				confirms.add(this.log.append(partition, record));
			}
		}
		confirms.forEach(CompletableFuture::join);
	}

	/** Records what it handles, and fails or blocks on request. */
	private static class Recorder implements BatchHandler {

		final BatchOrder order = new BatchOrder("test");

		final Map<Integer, List<String>> texts = new ConcurrentHashMap<>();

		final Map<Integer, Long> next = new ConcurrentHashMap<>();

		final AtomicInteger failures = new AtomicInteger();

		final AtomicInteger unknown = new AtomicInteger();

		final AtomicInteger largest = new AtomicInteger();

		final AtomicInteger blocked = new AtomicInteger();

		final CountDownLatch resume = new CountDownLatch(1);

		volatile boolean block;

		volatile boolean dies;

		volatile boolean interrupted;

		@Override
		public long nextOffset(int partition) {
			if (this.unknown.getAndDecrement() > 0) {
				throw new IllegalStateException("The database is unavailable");
			}
			long offset = this.next.getOrDefault(partition, 0L);
			this.order.begin(partition, offset);
			return offset;
		}

		@Override
		public void handle(int partition, List<LogRecord> batch) {
			this.order.check(partition, this.next.getOrDefault(partition, 0L), batch.getFirst().offset());
			if (this.dies) {
				throw new LinkageError("The thread dies");
			}
			this.largest.accumulateAndGet(batch.size(), Math::max);
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("The batch fails");
			}
			if (this.block) {
				awaitResume();
			}
			List<String> all = this.texts.computeIfAbsent(partition, (key) -> new ArrayList<>());
			synchronized (all) {
				batch.forEach((record) -> all.add(new String(record.data(), StandardCharsets.UTF_8)));
			}
			this.next.put(partition, batch.getLast().offset() + 1);
			this.order.stored(partition);
		}

		private void awaitResume() {
			this.blocked.incrementAndGet();
			try {
				this.resume.await();
			}
			catch (InterruptedException ex) {
				this.interrupted = true;
			}
		}

		int handled() {
			return this.texts.values().stream().mapToInt((texts) -> {
				synchronized (texts) {
					return texts.size();
				}
			}).sum();
		}

	}

}
