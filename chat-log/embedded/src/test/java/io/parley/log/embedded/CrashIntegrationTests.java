package io.parley.log.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;

import io.parley.log.LogReading;
import io.parley.log.LogRecord;
import io.parley.log.LogUnavailableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** Opens the log in another process and kills that process. */
class CrashIntegrationTests {

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	private static final int ROUNDS = FULL_SIZE ? 6 : 3;

	private static final int MOST_CONFIRMS = FULL_SIZE ? 20_000 : 10_000;

	@TempDir
	private Path directory;

	@TempDir
	private Path temp;

	private Process process;

	private BufferedReader output;

	/** The confirmed records: partition and offset to text. */
	private final Map<String, String> confirmed = new HashMap<>();

	@AfterEach
	void kill() throws Exception {
		// Process.destroyForcibly() would also close the output, which is read later.
		this.process.toHandle().destroyForcibly();
		this.process.waitFor();
	}

	@BeforeEach
	void start() throws IOException {
		start(0);
	}

	private void start(int round) throws IOException {
		this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-Djava.io.tmpdir=" + this.temp, "--enable-native-access=ALL-UNNAMED", "-Xmx128m",
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				LogProcess.class.getName(), this.directory.toString(), Integer.toString(round))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		this.output = this.process.inputReader();
		assertThat(this.output.readLine()).isEqualTo("open");
	}

	@Test
	void refusesADirectoryThatAnotherProcessUses() {
		assertThatExceptionOfType(LogUnavailableException.class).isThrownBy(() -> LogProcess.open(this.directory))
			.withMessageContaining(this.directory.toString())
			.withMessageContaining("in use by another process");
	}

	@Test
	void keepsAllThatWasConfirmedWhenTheProcessIsKilled() throws Exception {
		Random random = new Random();
		for (int round = 0; round < ROUNDS; round++) {
			if (round > 0) {
				start(round);
			}
			readConfirms(1 + random.nextInt(MOST_CONFIRMS));
			kill();
			readConfirms(Integer.MAX_VALUE);
			assertAllPresent();
		}
		assertThat(this.confirmed).hasSizeGreaterThan(ROUNDS);
		assertThat(this.temp.toFile().list((folder, name) -> name.contains("rocksdb"))).isEmpty();
		assertThat(this.directory.resolve("native").toFile().list()).hasSize(1);
	}

	private void readConfirms(int count) throws IOException {
		for (int i = 0; i < count; i++) {
			String line = this.output.readLine();
			if (line == null) {
				return;
			}
			String[] words = line.split(" ");
			assertThat(line).doesNotStartWith("failed");
			if (words.length == 4) {
				assertThat(this.confirmed.put(words[0] + " " + words[1], words[2])).isNull();
			}
		}
	}

	private void assertAllPresent() throws Exception {
		Map<String, String> found = new HashMap<>();
		Set<String> texts = new HashSet<>();
		try (EmbeddedRoomLog log = LogProcess.open(this.directory)) {
			for (int partition = 0; partition < LogProcess.PARTITIONS; partition++) {
				List<LogRecord> records = LogReading.readAll(log, partition);
				assertThat(records).extracting(LogRecord::offset)
					.isEqualTo(LongStream.range(0, log.endOffset(partition)).boxed().toList());
				List<String> partitionTexts = LogReading.texts(records);
				assertInOrder(partitionTexts);
				for (int i = 0; i < records.size(); i++) {
					found.put(partition + " " + i, partitionTexts.get(i));
					assertThat(texts.add(partitionTexts.get(i))).isTrue();
				}
			}
		}
		Map<String, String> lost = new HashMap<>(this.confirmed);
		lost.entrySet().removeAll(found.entrySet());
		assertThat(lost).isEmpty();
	}

	/** Asserts that the records of each thread are in the order of their appends. */
	private static void assertInOrder(List<String> texts) {
		Map<String, List<Integer>> numbers = new HashMap<>();
		for (String text : texts) {
			int slash = text.lastIndexOf('/');
			numbers.computeIfAbsent(text.substring(0, slash), (thread) -> new ArrayList<>())
				.add(Integer.valueOf(text.substring(slash + 1)));
		}
		assertThat(numbers.values()).allSatisfy((ofThread) -> assertThat(ofThread).isSorted());
	}

}
