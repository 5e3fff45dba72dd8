package io.parley.log.embedded;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The main class of the child process in {@link CrashIntegrationTests}. It appends from
 * several threads until it is killed and prints each confirm as {@code partition offset
 * text .}
 */
final class LogProcess {

	static final int PARTITIONS = 4;

	static final int THREADS = 4;

	private static final int IN_FLIGHT = 64;

	private LogProcess() {
	}

	static EmbeddedRoomLog open(Path directory) {
		return EmbeddedRoomLog.open(new EmbeddedLogSettings(directory, PARTITIONS, Duration.ofDays(1), 0));
	}

	static void main(String[] args) {
		EmbeddedRoomLog log = open(Path.of(args[0]));
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
		out.println("open");
		for (int thread = 0; thread < THREADS; thread++) {
			String prefix = args[1] + "/" + thread + "/";
			Thread.ofPlatform().start(() -> append(log, prefix, out));
		}
	}

	private static void append(EmbeddedRoomLog log, String prefix, PrintStream out) {
		Semaphore free = new Semaphore(IN_FLIGHT);
		for (int i = 0; true; i++) {
			free.acquireUninterruptibly();
			int partition = ThreadLocalRandom.current().nextInt(PARTITIONS);
			String text = prefix + i;
			log.append(partition, text.getBytes(StandardCharsets.UTF_8)).whenComplete((offset, failure) -> {
				free.release();
				out.println((failure != null) ? "failed " + failure : partition + " " + offset + " " + text + " .");
			});
		}
	}

}
