package io.parley.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.read;
import static io.parley.log.LogReading.readAll;
import static io.parley.log.LogReading.readTexts;
import static io.parley.log.LogReading.texts;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The contract of every {@link RoomLog}. The tests of an implementation extend this
 * class. The only test that measures the heap runs alone; the others may run in parallel.
 */
@ResourceLock(value = RoomLogContract.HEAP, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
public abstract class RoomLogContract extends CloseContract {

	private static final Duration MOMENT = Duration.ofMillis(100);

	/** Far more records than a reader may keep in memory. */
	private static final int MUCH = Boolean.getBoolean("parley.test.full-size") ? 200_000 : 100_000;

	static final String HEAP = "heap";

	/** The log of the current test. */
	protected RoomLog log;

	/**
	 * Opens the log of the current test. The first call creates a log with four
	 * partitions, later calls open the same log again. Its retention is the shortest that
	 * the implementation supports.
	 */
	protected abstract RoomLog open() throws Exception;

	@Override
	RoomLog log() {
		return this.log;
	}

	@BeforeEach
	void openLog() throws Exception {
		this.log = open();
	}

	@AfterEach
	void closeLog() {
		this.log.close();
	}

	private void reopen() throws Exception {
		this.log.close();
		this.log = open();
	}

	@Test
	void keepsTheOrderOfEachThreadAmongMany() throws Exception {
		int threads = 16;
		int each = 500;
		try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<List<Long>>> appenders = IntStream.range(0, threads)
				.mapToObj((thread) -> executor.submit(() -> append(this.log, 1,
						IntStream.range(0, each).mapToObj((i) -> thread + "-" + i).toArray(String[]::new))))
				.toList();
			for (Future<List<Long>> appender : appenders) {
				assertThat(appender.get()).isSorted().doesNotHaveDuplicates();
			}
		}
		List<LogRecord> records = readAll(this.log, 1);
		assertThat(records).extracting(LogRecord::offset)
			.containsExactlyElementsOf(LongStream.range(0, threads * each).boxed().toList());
		for (int thread = 0; thread < threads; thread++) {
			String prefix = thread + "-";
			assertThat(texts(records)).filteredOn((text) -> text.startsWith(prefix))
				.containsExactlyElementsOf(IntStream.range(0, each).mapToObj((i) -> prefix + i).toList());
		}
	}

	@Test
	void keepsConfirmedRecordsWhenItIsReopened() throws Exception {
		String id = this.log.id();
		append(this.log, 0, "a", "b");
		append(this.log, 3, "c");
		reopen();
		assertThat(this.log.id()).isEqualTo(id);
		assertThat(texts(readAll(this.log, 0))).containsExactly("a", "b");
		assertThat(texts(readAll(this.log, 3))).containsExactly("c");
		assertThat(append(this.log, 0, "d")).containsExactly(2L);
	}

	@Test
	void beginsEachPartitionAtItsStart() {
		assertThat(this.log.partitions()).isEqualTo(4);
		assertThat(this.log.startOffset(2)).isZero();
		assertThat(this.log.endOffset(2)).isZero();
		append(this.log, 2, "a");
		assertThat(this.log.startOffset(2)).isZero();
		assertThat(this.log.endOffset(2)).isEqualTo(1);
	}

	@Test
	void returnsNothingFromAnEmptyPartition() throws Exception {
		append(this.log, 0, "elsewhere");
		append(this.log, 2, "elsewhere");
		try (LogReader reader = this.log.follow(1, 0)) {
			assertThat(reader.poll(10, MOMENT)).isEmpty();
		}
	}

	@Test
	void resumesFromAnOffset() throws Exception {
		append(this.log, 0, "a", "b", "c", "d");
		try (LogReader reader = this.log.follow(0, 2)) {
			assertThat(readTexts(reader, 2)).containsExactly("c", "d");
			append(this.log, 0, "e");
			assertThat(read(reader, 1)).extracting(LogRecord::offset).containsExactly(4L);
		}
	}

	@Test
	void showsEachFollowerEverything() throws Exception {
		try (LogReader one = this.log.follow(0, 0); LogReader other = this.log.follow(0, 0)) {
			append(this.log, 0, "a", "b");
			assertThat(readTexts(one, 2)).containsExactly("a", "b");
			append(this.log, 0, "c");
			assertThat(readTexts(other, 3)).containsExactly("a", "b", "c");
			assertThat(readTexts(one, 1)).containsExactly("c");
		}
	}

	@Test
	void followsFromTheStartWhenAskedForLess() throws Exception {
		append(this.log, 0, "a");
		try (LogReader reader = this.log.follow(0, -5)) {
			assertThat(readTexts(reader, 1)).containsExactly("a");
		}
	}

	@Test
	void waitsForAnOffsetBeyondTheEnd() throws Exception {
		append(this.log, 0, "a");
		try (LogReader reader = this.log.follow(0, 2)) {
			append(this.log, 0, "b");
			assertThat(reader.poll(10, MOMENT)).isEmpty();
			append(this.log, 0, "c");
			assertThat(readTexts(reader, 1)).containsExactly("c");
		}
	}

	@Test
	void takesLargeRecords() throws Exception {
		byte[] large = new byte[64 * 1024];
		new Random(7).nextBytes(large);
		this.log.append(0, large).join();
		assertThat(readAll(this.log, 0)).singleElement().extracting(LogRecord::data).isEqualTo(large);
	}

	@Test
	@ResourceLock(HEAP)
	void doesNotKeepUnreadRecordsInMemory() throws Exception {
		append(this.log, 0, "first", "second");
		try (LogReader still = this.log.follow(0, 0)) {
			assertThat(readTexts(still, 1)).containsExactly("first");
			long before = liveHeap();
			appendMany(MUCH, 1024);
			assertThat(liveHeap() - before).isLessThan(64L * 1024 * 1024);
			assertThat(readTexts(still, 1)).containsExactly("second");
		}
	}

	private void appendMany(int count, int bytes) {
		Semaphore inFlight = new Semaphore(2_000);
		List<Throwable> failures = new CopyOnWriteArrayList<>();
		for (int i = 0; i < count; i++) {
			inFlight.acquireUninterruptibly();
			this.log.append(0, new byte[bytes]).whenComplete((offset, failure) -> {
				inFlight.release();
				if (failure != null) {
					failures.add(failure);
				}
			});
		}
		inFlight.acquireUninterruptibly(2_000);
		assertThat(failures).isEmpty();
	}

	private static long liveHeap() {
		System.gc();
		return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
	}

	@Test
	void doesNotTrimUnreadRecords() throws Exception {
		append(this.log, 0, "a", "b", "c", "d");
		this.log.trim(0, 2);
		assertThat(this.log.startOffset(0)).isLessThanOrEqualTo(2);
		try (LogReader reader = this.log.follow(0, 2)) {
			assertThat(readTexts(reader, 2)).containsExactly("c", "d");
		}
		assertThat(append(this.log, 0, "e")).containsExactly(4L);
	}

	@Test
	void continuesItsOffsetsAfterEverythingWasTrimmed() throws Exception {
		append(this.log, 0, "a", "b", "c");
		this.log.trim(0, this.log.endOffset(0));
		reopen();
		assertThat(append(this.log, 0, "d")).containsExactly(3L);
		try (LogReader reader = this.log.follow(0, 3)) {
			assertThat(readTexts(reader, 1)).containsExactly("d");
		}
	}

	@Test
	void confirmsAppendsInFlightWhenItIsClosed() throws Exception {
		List<CompletableFuture<Long>> confirms = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			confirms.add(this.log.append(0, new byte[100]));
		}
		reopen();
		assertThat(confirms).allMatch(CompletableFuture::isDone);
		assertThat(readAll(this.log, 0)).hasSize(1000);
	}

}
