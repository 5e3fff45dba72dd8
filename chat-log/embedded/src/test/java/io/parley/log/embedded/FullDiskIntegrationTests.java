package io.parley.log.embedded;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

import io.parley.log.AppendRefusedException;
import io.parley.log.AppendUnknownException;
import io.parley.log.LogReading;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Runs the log on a small file system that another file fills. */
@EnabledOnOs(OS.LINUX)
class FullDiskIntegrationTests {

	private static final int MIB = 1024 * 1024;

	@TempDir
	private Path disk;

	private boolean mounted;

	/**
	 * Loads the library from another disk. A library loaded from this disk would prevent
	 * its unmounting.
	 */
	@BeforeAll
	static void loadTheLibraryFromElsewhere(@TempDir Path elsewhere) {
		NativeLibrary.load(elsewhere);
	}

	@BeforeEach
	void mount() throws Exception {
		this.mounted = run("mount", "-t", "tmpfs", "-o", "size=96m", "tmpfs", this.disk.toString());
		assumeTrue(this.mounted, "only root can mount a small disk");
	}

	@AfterEach
	void unmount() throws Exception {
		if (this.mounted) {
			assertThat(run("umount", this.disk.toString())).isTrue();
		}
	}

	private static boolean run(String... command) throws Exception {
		return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
	}

	private EmbeddedRoomLog open(long minFreeBytes) {
		return EmbeddedRoomLog
			.open(new EmbeddedLogSettings(this.disk.resolve("log"), 1, Duration.ofDays(1), minFreeBytes));
	}

	@Test
	void refusesAppendsWhileTheDiskIsAlmostFullAndRecovers() throws Exception {
		try (EmbeddedRoomLog log = open(8 * MIB)) {
			LogReading.append(log, 0, "before");
			Path filler = fill();
			assertThat(log.append(0, new byte[1])).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(AppendRefusedException.class)
				.withMessageContaining("8 MiB must stay free");
			Files.delete(filler);
			assertThat(LogReading.append(log, 0, "after")).containsExactly(1L);
			assertThat(LogReading.texts(LogReading.readAll(log, 0))).containsExactly("before", "after");
		}
	}

	@Test
	void failsPermanentlyWhenTheDiskFailsAndKeepsConfirmedRecords() throws Exception {
		int confirmed;
		Path filler;
		try (EmbeddedRoomLog log = open(0)) {
			filler = fill();
			confirmed = appendUntilTheDiskFails(log);
			assertThat(log.endOffset(0)).isEqualTo(confirmed);
			assertThat(LogReading.readAll(log, 0)).hasSize(confirmed);
			Files.delete(filler);
			assertThat(log.append(0, new byte[1])).failsWithin(Duration.ofSeconds(30))
				.withThrowableThat()
				.withCauseInstanceOf(AppendRefusedException.class)
				.withMessageContaining("restart this process");
		}
		try (EmbeddedRoomLog log = open(0)) {
			assertThat(LogReading.readAll(log, 0)).hasSizeBetween(confirmed, confirmed + 1);
			assertThat(LogReading.append(log, 0, "after")).hasSize(1);
		}
	}

	private static int appendUntilTheDiskFails(EmbeddedRoomLog log) {
		for (int confirmed = 0; true; confirmed++) {
			CompletableFuture<Long> confirm = log.append(0, new byte[MIB]);
			try {
				assertThat(confirm.join()).isEqualTo(confirmed);
			}
			catch (CompletionException ex) {
				assertThat(ex).hasCauseInstanceOf(AppendUnknownException.class);
				return confirmed;
			}
		}
	}

	/** Writes a file until the disk is full. */
	private Path fill() throws IOException {
		Path filler = this.disk.resolve("filler");
		try (OutputStream out = Files.newOutputStream(filler)) {
			while (true) {
				out.write(new byte[MIB / 4]);
			}
		}
		catch (IOException ex) {
			return filler;
		}
	}

}
