package io.parley.log.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.parley.log.LogUnavailableException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.readAll;
import static io.parley.log.LogReading.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Opens logs with a torn last write or with damaged records. */
class RecoveryTests {

	private static final int RECORDS = 20;

	@TempDir
	private Path directory;

	private EmbeddedRoomLog open() {
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(this.directory, 1, Duration.ZERO, 0));
	}

	/** Writes each record in a batch of its own. */
	@BeforeEach
	void writeRecords() {
		try (EmbeddedRoomLog log = open()) {
			IntStream.range(0, RECORDS).forEach((i) -> append(log, 0, "record " + i));
		}
	}

	@Test
	void dropsATornTailAndContinuesAfterTheLastCompleteBatch() throws Exception {
		try (FileChannel journal = journal()) {
			journal.truncate(journal.size() - 3);
		}
		assertContinuesAfter(RECORDS - 1);
	}

	@Test
	void ignoresZeroesAfterTheLastBatch() throws Exception {
		try (FileChannel journal = journal()) {
			journal.write(ByteBuffer.allocate(5000), journal.size());
		}
		assertContinuesAfter(RECORDS);
	}

	@Test
	void refusesToOpenWhenConfirmedRecordsAreDamaged() throws Exception {
		try (FileChannel journal = journal()) {
			journal.write(ByteBuffer.wrap(new byte[] { 1, 2, 3, 4 }), journal.size() / 2);
		}
		for (int attempt = 0; attempt < 2; attempt++) {
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(this::open)
				.withMessageContaining(this.directory.toString())
				.withMessageContaining("can't be opened")
				.withMessageContaining("restore a backup");
		}
	}

	private void assertContinuesAfter(int kept) throws Exception {
		try (EmbeddedRoomLog log = open()) {
			assertThat(append(log, 0, "next")).containsExactly((long) kept);
		}
		try (EmbeddedRoomLog log = open()) {
			assertThat(texts(readAll(log, 0))).containsExactlyElementsOf(
					Stream.concat(IntStream.range(0, kept).mapToObj((i) -> "record " + i), Stream.of("next")).toList());
		}
	}

	/** Opens the newest write-ahead log that is not empty. */
	private FileChannel journal() throws IOException {
		try (Stream<Path> files = Files.list(this.directory.resolve("records"))) {
			Path newest = files.filter((file) -> file.toString().endsWith(".log") && file.toFile().length() > 0)
				.max(Comparator.naturalOrder())
				.orElseThrow();
			return FileChannel.open(newest, StandardOpenOption.WRITE);
		}
	}

}
