package io.parley.log;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.fail;

/** Helper methods for tests that read and write a {@link RoomLog}. */
public final class LogReading {

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	private LogReading() {
	}

	/** Appends the texts, waits for all confirms and returns the offsets. */
	public static List<Long> append(RoomLog log, int partition, String... texts) {
		return Stream.of(texts)
			.map((text) -> log.append(partition, text.getBytes(StandardCharsets.UTF_8)))
			.toList()
			.stream()
			.map((confirm) -> confirm.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join())
			.toList();
	}

	/** Reads exactly this number of records. */
	public static List<LogRecord> read(LogReader reader, int count) throws InterruptedException {
		long deadline = System.nanoTime() + PATIENCE.toNanos();
		List<LogRecord> records = new ArrayList<>();
		while (records.size() < count) {
			if (System.nanoTime() > deadline) {
				fail("Only " + records.size() + " of " + count + " records arrived in time");
			}
			records.addAll(reader.poll(count - records.size(), Duration.ofMillis(100)));
		}
		return records;
	}

	/** Reads a partition from its start to its current end. */
	public static List<LogRecord> readAll(RoomLog log, int partition) throws InterruptedException {
		long start = log.startOffset(partition);
		try (LogReader reader = log.follow(partition, start)) {
			return read(reader, (int) (log.endOffset(partition) - start));
		}
	}

	public static List<String> readTexts(LogReader reader, int count) throws InterruptedException {
		return texts(read(reader, count));
	}

	public static List<String> texts(List<LogRecord> records) {
		return records.stream().map((record) -> new String(record.data(), StandardCharsets.UTF_8)).toList();
	}

}
