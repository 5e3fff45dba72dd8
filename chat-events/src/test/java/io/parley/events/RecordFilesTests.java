package io.parley.events;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that this build reads the records of every release: {@code resources/records}.
 */
class RecordFilesTests {

	private static final Path RELEASES = Path.of("src/test/resources/records");

	/** The release whose records this build writes byte for byte. */
	private static final String SAME_BYTES = "0.1.0";

	static Stream<Path> everyRecord() throws IOException {
		return files().stream();
	}

	static Stream<Path> recordsOfThisBuild() throws IOException {
		return files().stream()
			.filter((file) -> file.getParent().endsWith(SAME_BYTES)
					&& !file.getFileName().toString().startsWith("later-"));
	}

	private static List<Path> files() throws IOException {
		try (Stream<Path> files = Files.walk(RELEASES, 2)) {
			return files.filter((file) -> file.getFileName().toString().matches(".*\\.v\\d")).sorted().toList();
		}
	}

	@ParameterizedTest
	@MethodSource("everyRecord")
	void isReadByThisBuild(Path file) throws IOException {
		List<String> lines = Files.readAllLines(file);
		byte[] bytes = HexFormat.of().parseHex(lines.getFirst());
		EventRecord record = EventRecord.decode(bytes);
		assertThat(new String(record.json(9, 7), StandardCharsets.UTF_8)).isEqualTo(lines.get(1));
		assertThat(record.counts()).isEqualTo(lines.get(2).equals("counts"));
		assertThat(EventRecord.roomOf(bytes)).isEqualTo(record.room());
	}

	@ParameterizedTest
	@MethodSource("recordsOfThisBuild")
	void isWhatThisBuildWrites(Path file) throws IOException {
		String stored = Files.readAllLines(file).getFirst();
		RecordFormat format = RecordFormat.ofVersion(Integer.parseInt(stored.substring(0, 2), 16));
		RoomEvent event = EventRecord.decode(HexFormat.of().parseHex(stored)).event();
		assertThat(HexFormat.of().formatHex(EventRecord.of(event).encode(format))).isEqualTo(stored);
	}

}
