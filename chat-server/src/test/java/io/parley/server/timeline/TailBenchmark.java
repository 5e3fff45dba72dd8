package io.parley.server.timeline;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.events.RoomNames;
import io.parley.log.RoomLog;
import io.parley.server.ChatServerApplication;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.FileSystemUtils;

/**
 * Measures what it costs a server in mode {@code bus} to follow the log while no client
 * is connected: the CPU time of the threads that read the log and of those that deliver,
 * per record. Messages of 60 characters go to 10,000 rooms.
 */
final class TailBenchmark {

	private static final int ROOMS = 10_000;

	private static final int SECONDS = 10;

	private static final int WARM_UP_RATE = 10_000;

	private static final int[] RATES = { 5_000, 20_000 };

	private static final int PER_SECOND = 100;

	private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

	private final RoomLog log;

	private final Tail tail;

	private TailBenchmark(ConfigurableApplicationContext context) {
		this.log = context.getBean(RoomLog.class);
		this.tail = context.getBean(Tail.class);
	}

	/** Prints a line for each rate. */
	public static void main(String[] args) throws IOException {
		Path directory = Files.createTempDirectory("tail-benchmark");
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(ChatServerApplication.class).run(
				"--chat.broker.mode=bus", "--chat.log.embedded.directory=" + directory.resolve("log"),
				"--server.port=0", "--management.server.port=0",
				"--spring.datasource.url=jdbc:h2:file:" + directory.resolve("db"), "--logging.level.root=off",
				"--spring.main.banner-mode=off")) {
			TailBenchmark benchmark = new TailBenchmark(context);
			benchmark.run(WARM_UP_RATE);
			for (int rate : RATES) {
				benchmark.run(rate);
			}
		}
		finally {
			FileSystemUtils.deleteRecursively(directory);
		}
	}

	private void run(int rate) {
		long reading = cpuMicros("tail-");
		long delivering = cpuMicros("delivery-");
		long start = System.nanoTime();
		for (int step = 0; step < SECONDS * PER_SECOND; step++) {
			for (int i = 0; i < rate / PER_SECOND; i++) {
				append((step * rate / PER_SECOND + i) % ROOMS);
			}
			long next = start + TimeUnit.SECONDS.toNanos(step + 1) / PER_SECOND;
			LockSupport.parkNanos(next - System.nanoTime());
		}
		while (this.tail.lag() > 0) {
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
		}
		double records = (double) rate * SECONDS;
		System.out.printf(Locale.ROOT,
				"%,7d records/s asked, %,7.0f reached: reading %5.2f us, delivery threads %5.2f us%n", rate,
				records * 1e9 / (System.nanoTime() - start), (cpuMicros("tail-") - reading) / records,
				(cpuMicros("delivery-") - delivering) / records);
	}

	private void append(int number) {
		String room = "room" + number;
		this.log.append(RoomNames.partition(room, this.log.partitions()),
				EventRecord
					.of(new MessagePosted(room, UUID.randomUUID().toString(), "user" + number % 1_000,
							UUID.randomUUID().toString(), Instant.now(), "x".repeat(60), Map.of()))
					.encode());
	}

	private static long cpuMicros(String threads) {
		long nanos = 0;
		for (long id : THREADS.getAllThreadIds()) {
			var thread = THREADS.getThreadInfo(id);
			if (thread != null && thread.getThreadName().startsWith(threads)) {
				nanos += Math.max(0, THREADS.getThreadCpuTime(id));
			}
		}
		return nanos / 1_000;
	}

}
