package io.parley.log.worker;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests a reader that gathers records into batches, on a log that returns a few records
 * per poll. A broker does so when it sends records in the chunks in which they were
 * written.
 */
class GatheringTests {

	private static final int RECORDS = 100;

	private static final int BATCH = 10;

	@TempDir
	private Path directory;

	private final List<List<Long>> handled = new CopyOnWriteArrayList<>();

	@Test
	void fillsItsBatchesWithoutWaitingWhileRecordsAreAvailable() {
		handle(Little::new);
		assertThat(this.handled).allMatch((batch) -> batch.size() == BATCH);
	}

	/** Another reader was active for a moment and has stored nothing. */
	@Test
	void handlesNoRecordTwiceInABatchThatRestarts() {
		handle(AnewOnce::new);
		assertThat(this.handled.getFirst()).containsExactlyElementsOf(LongStream.range(0, BATCH).boxed().toList());
	}

	private void handle(UnaryOperator<LogReader> way) {
		try (RoomLog log = EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, 1, Duration.ofDays(1), 0))) {
			IntStream.range(0, RECORDS)
				.mapToObj((n) -> log.append(0, new byte[] { (byte) n }))
				.toList()
				.forEach(CompletableFuture::join);
			PartitionedReader reader = new PartitionedReader("test", reading(log, way), new Keeper(),
					ReaderSettings.of(BATCH).gathering(Duration.ofDays(1)), (replaced) -> {
					});
			reader.start();
			await().until(() -> this.handled.stream().mapToInt(List::size).sum() >= RECORDS - BATCH);
			reader.stop();
		}
	}

	private static RoomLog reading(RoomLog log, UnaryOperator<LogReader> way) {
		return (RoomLog) Proxy.newProxyInstance(RoomLog.class.getClassLoader(), new Class<?>[] { RoomLog.class },
				(proxy, method, arguments) -> {
					Object answer = method.invoke(log, arguments);
					return (answer instanceof LogReader all) ? way.apply(all) : answer;
				});
	}

	private record Little(LogReader all) implements LogReader {

		private static final int RECORDS = 3;

		@Override
		public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
			return this.all.poll(Math.min(maxRecords, RECORDS), timeout);
		}

		@Override
		public void close() {
			this.all.close();
		}

	}

	/** Returns its first records twice. */
	private record AnewOnce(LogReader all, AtomicInteger polls) implements LogReader {

		AnewOnce(LogReader all) {
			this(all, new AtomicInteger());
		}

		@Override
		public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
			return switch (this.polls.incrementAndGet()) {
				case 1 -> List.of(new LogRecord(0, 0, new byte[1]), new LogRecord(0, 1, new byte[1]));
				default -> this.all.poll(maxRecords, timeout);
			};
		}

		@Override
		public void close() {
			this.all.close();
		}

	}

	private final class Keeper implements BatchHandler {

		@Override
		public long nextOffset(int partition) {
			return 0;
		}

		@Override
		public void handle(int partition, List<LogRecord> batch) {
			GatheringTests.this.handled.add(batch.stream().map(LogRecord::offset).toList());
		}

	}

}
