package io.parley.log.worker;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.parley.log.LogReader;
import io.parley.log.LogRecord;
import io.parley.log.RoomLog;
import io.parley.log.embedded.EmbeddedLogSettings;
import io.parley.log.embedded.EmbeddedRoomLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.awaitility.Awaitility.await;

/**
 * A reader that lets records gather, on a log that hands over a few at a time, as a
 * broker does that sends what was written together in one piece.
 */
class GatheringTests {

	private static final int RECORDS = 100;

	@TempDir
	private Path directory;

	private final AtomicInteger handled = new AtomicInteger();

	@Test
	void doesNotWaitWhileMuchIsThere() {
		try (RoomLog log = EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, 1, Duration.ofDays(1), 0))) {
			IntStream.range(0, RECORDS)
				.mapToObj((n) -> log.append(0, new byte[] { (byte) n }))
				.toList()
				.forEach(CompletableFuture::join);
			PartitionedReader reader = new PartitionedReader("test", littleAtATime(log), new Counter(),
					ReaderSettings.of(RECORDS).gathering(Duration.ofDays(1)), (replaced) -> {
					});
			reader.start();
			await().until(() -> this.handled.get() >= RECORDS - Little.RECORDS);
			reader.stop();
		}
	}

	private static RoomLog littleAtATime(RoomLog log) {
		return (RoomLog) Proxy.newProxyInstance(RoomLog.class.getClassLoader(), new Class<?>[] { RoomLog.class },
				(proxy, method, arguments) -> {
					Object answer = method.invoke(log, arguments);
					return (answer instanceof LogReader all) ? new Little(all) : answer;
				});
	}

	private record Little(LogReader all) implements LogReader {

		static final int RECORDS = 2;

		@Override
		public List<LogRecord> poll(int maxRecords, Duration timeout) throws InterruptedException {
			return this.all.poll(RECORDS, timeout);
		}

		@Override
		public void close() {
			this.all.close();
		}

	}

	private final class Counter implements BatchHandler {

		@Override
		public long nextOffset(int partition) {
			return 0;
		}

		@Override
		public void handle(int partition, List<LogRecord> batch) {
			GatheringTests.this.handled.addAndGet(batch.size());
		}

	}

}
