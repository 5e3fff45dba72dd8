package io.parley.log.embedded;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;

import io.parley.log.AppendRefusedException;
import io.parley.log.LogUnavailableException;
import io.parley.log.RoomLog;
import io.parley.log.RoomLogContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.parley.log.LogReading.append;
import static io.parley.log.LogReading.readAll;
import static io.parley.log.LogReading.texts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

class EmbeddedRoomLogTests extends RoomLogContract {

	private static final Duration DAY = Duration.ofDays(1);

	@TempDir
	private Path directory;

	@TempDir
	private Path other;

	private Instant now = Instant.parse("2030-01-01T00:00:00Z");

	@Override
	protected RoomLog open() {
		return EmbeddedRoomLog.open(settings(this.directory, 4));
	}

	private static EmbeddedLogSettings settings(Path directory, int partitions) {
		return new EmbeddedLogSettings(directory, partitions, Duration.ZERO, 0);
	}

	@Test
	void refusesADirectoryThatIsOpenInThisProcess() {
		for (int attempt = 0; attempt < 2; attempt++) {
			assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(this::open)
				.withMessageContaining(this.directory.toString())
				.withMessageContaining("already open in this process");
		}
		append(this.log, 0, "the first one goes on");
	}

	@Test
	void refusesAnotherNumberOfPartitions() throws Exception {
		append(this.log, 3, "a");
		this.log.close();
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> EmbeddedRoomLog.open(settings(this.directory, 8)))
			.withMessageContaining("has 4 partitions, 8 are configured");
		this.log = open();
		assertThat(texts(readAll(this.log, 3))).containsExactly("a");
	}

	@Test
	void refusesADirectoryThatIsAFile() throws Exception {
		Path file = Files.createFile(this.other.resolve("file"));
		assertThatExceptionOfType(LogUnavailableException.class)
			.isThrownBy(() -> EmbeddedRoomLog.open(settings(file, 4)))
			.withMessageContaining(file.toString());
	}

	@Test
	void refusesAppendsWhileTheDiskHasLessThanTheReserve() {
		try (RoomLog full = EmbeddedRoomLog
			.open(new EmbeddedLogSettings(this.other, 4, Duration.ZERO, Long.MAX_VALUE))) {
			for (int attempt = 0; attempt < 2; attempt++) {
				assertThat(full.append(0, new byte[1])).failsWithin(Duration.ofSeconds(30))
					.withThrowableThat()
					.withCauseInstanceOf(AppendRefusedException.class)
					.withMessageContaining("MiB must stay free");
			}
			assertThat(full.endOffset(0)).isZero();
			assertThat(full.unavailableReason())
				.hasValueSatisfying((why) -> assertThat(why).contains("MiB must stay free"));
		}
	}

	@Test
	void refusesInvalidRecordsAndPartitions() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.log.append(0, new byte[0]));
		assertThatIllegalArgumentException().isThrownBy(() -> this.log.append(0, new byte[5 * 1024 * 1024]));
		assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> this.log.append(4, new byte[1]));
	}

	@Test
	void trimsEverythingReadExceptTheNewest() throws Exception {
		append(this.log, 0, "a", "b", "c", "d");
		append(this.log, 1, "e");
		this.log.trim(0, 2);
		assertThat(this.log.startOffset(0)).isEqualTo(2);
		this.log.trim(0, 100);
		assertThat(this.log.startOffset(0)).isEqualTo(3);
		this.log.close();
		this.log = open();
		assertThat(this.log.startOffset(0)).isEqualTo(3);
		assertThat(texts(readAll(this.log, 0))).containsExactly("d");
		assertThat(texts(readAll(this.log, 1))).containsExactly("e");
	}

	@Test
	void trimsNothingYoungerThanTheRetention() {
		EmbeddedLogSettings settings = new EmbeddedLogSettings(this.other, 1, DAY, 0);
		try (RoomLog log = EmbeddedRoomLog.open(settings, () -> this.now)) {
			append(log, 0, "old", "old");
			log.trim(0, 100);
			this.now = this.now.plus(DAY.dividedBy(2));
			append(log, 0, "young", "young");
			log.trim(0, 100);
			assertThat(log.startOffset(0)).isZero();
		}
		try (RoomLog log = EmbeddedRoomLog.open(settings, () -> this.now)) {
			this.now = this.now.plus(DAY.dividedBy(2));
			log.trim(0, 100);
			assertThat(log.startOffset(0)).isEqualTo(2);
			this.now = this.now.plus(DAY);
			log.trim(0, 100);
			assertThat(log.startOffset(0)).isEqualTo(3);
		}
	}

	@Test
	void freesDiskSpaceWhenItTrims() {
		byte[] record = new byte[64 * 1024];
		for (int i = 0; i < 1600; i++) {
			new Random(i).nextBytes(record);
			this.log.append(i % 4, record.clone()).join();
		}
		assertThat(megabytes()).isGreaterThanOrEqualTo(90);
		for (int partition = 0; partition < 4; partition++) {
			this.log.trim(partition, this.log.endOffset(partition));
		}
		await().atMost(Duration.ofMinutes(1)).until(this::megabytes, (size) -> size < 32);
	}

	private long megabytes() {
		File[] files = this.directory.resolve("records").toFile().listFiles();
		return Stream.of(files).mapToLong(File::length).sum() / (1024 * 1024);
	}

}
