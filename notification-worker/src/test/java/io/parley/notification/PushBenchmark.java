package io.parley.notification;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.log.LogRecord;
import io.parley.store.MySqlServer;
import io.parley.store.log.ParkedEvents;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.presence.RoomPresence;
import io.parley.store.push.Device;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * Measures how many rooms per second one partition plans, and how many pushes per second
 * one thread decides: a message in each of 10,000 rooms of five members, of whom one
 * sends, two follow the room live and two are offline and have a device. The provider
 * accepts all pushes at once. Plans in batches of the reader and decides in batches of
 * the dispatcher, on H2 in a file ({@code h2}) or on MySQL ({@code mysql}). CPU time is
 * that of the measured thread: with H2 it includes the database, with MySQL it does not.
 */
final class PushBenchmark {

	private static final int WARM_UP = 1;

	private static final int ROUNDS = 2;

	private static final int ROOMS = 10_000;

	/** Users too: each of them is in five rooms. */
	private static final int MEMBERS = 5;

	private static final int AWAY = 2;

	/** The tasks that are decided in one batch. */
	private static final int BATCH = 250;

	/** The tasks that are decided in one round. */
	private static final int DECIDED = 5_000;

	private static final Duration LEASE = Duration.ofHours(1);

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final JdbcTemplate jdbc;

	private final RoomPresence presence;

	private final PushTaskRepository tasks;

	private final TaskDecider decider;

	private final PushDelivery delivery;

	private final PushResults results;

	private final MessageReader reader;

	private long next;

	private PushBenchmark(ConfigurableApplicationContext context) {
		context.getBean(NotificationWorker.class).stop();
		context.getBean(PushDispatcher.class).stop();
		this.jdbc = context.getBean(JdbcTemplate.class);
		this.presence = context.getBean(RoomPresence.class);
		this.tasks = context.getBean(PushTaskRepository.class);
		this.decider = context.getBean(TaskDecider.class);
		this.delivery = context.getBean(PushDelivery.class);
		this.results = context.getBean(PushResults.class);
		this.reader = new MessageReader(new TransactionTemplate(context.getBean(PlatformTransactionManager.class)),
				context.getBean(ReaderOffsets.class), context.getBean(ParkedEvents.class),
				context.getBean(TaskPlanner.class), this.tasks, () -> {
				}, new ProviderFailures(), Duration.ZERO, Clock.systemUTC(), 1);
	}

	/** Runs on the database that the argument names. */
	public static void main(String[] args) throws IOException {
		if (args.length == 1 && args[0].equals("mysql")) {
			run("MySQL", MySqlServer.properties("benchmark"));
			return;
		}
		Path directory = Files.createTempDirectory("push-benchmark");
		try {
			run("H2", "spring.datasource.url=jdbc:h2:file:" + directory.resolve("db") + ";WRITE_DELAY=0");
		}
		finally {
			FileSystemUtils.deleteRecursively(directory);
		}
	}

	private static void run(String database, String... properties) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(RecordingApplication.class)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "chat.push.provider=fcm",
					"chat.push.interval=0s")
			.run()) {
			PushBenchmark benchmark = new PushBenchmark(context);
			benchmark.fill();
			for (int round = -WARM_UP; round < ROUNDS; round++) {
				benchmark.round(database, round);
			}
		}
	}

	private void fill() {
		Timestamp now = Timestamp.from(Instant.now());
		List<Integer> rooms = IntStream.range(0, ROOMS).boxed().toList();
		this.jdbc.batchUpdate("""
				INSERT INTO room (id, name, kind, member_count, created_by, created_at)
				VALUES (?, 'A room', 'group', ?, ?, ?)""",
				rooms.stream().map((room) -> new Object[] { room(room), MEMBERS, user(room, 0), now }).toList());
		this.jdbc.batchUpdate("INSERT INTO room_member (room_id, username, joined_at) VALUES (?, ?, ?)",
				rooms.stream()
					.<Object[]>mapMulti((room, sink) -> IntStream.range(0, MEMBERS)
						.forEach((member) -> sink.accept(new Object[] { room(room), user(room, member), now })))
					.toList());
		Map<String, Set<String>> followed = new HashMap<>();
		rooms.forEach((room) -> IntStream.range(0, MEMBERS - AWAY)
			.forEach((member) -> followed.computeIfAbsent(user(room, member), (user) -> new HashSet<>())
				.add(room(room))));
		this.presence.store("node", followed);
		this.jdbc.batchUpdate(
				"INSERT INTO device (id, username, kind, token, platform, registered_at, seen_at) "
						+ "VALUES (?, ?, 'TOKEN', ?, 'ANDROID', ?, ?)",
				rooms.stream()
					.map((room) -> new Object[] { Device.id(Device.Kind.TOKEN, "token" + room), user(room, 0),
							"token" + room, now, now })
					.toList());
		this.jdbc.update("INSERT INTO node_lease (node, expires_at, renewed_at) VALUES ('node', ?, ?)",
				Timestamp.from(Instant.now().plus(Duration.ofDays(1))),
				Timestamp.from(Instant.now().plus(Duration.ofDays(1))));
		this.next = this.reader.nextOffset(0);
	}

	private static String room(int room) {
		return "room-" + String.format("%08x", room * 0x9E3779B1);
	}

	/** Spreads the rooms of a user over all rooms. */
	private static String user(int room, int member) {
		return "user-" + (room + member * 1_999) % ROOMS;
	}

	private record Cost(double perSecond, double cpuMicros) {
	}

	private void round(String database, int round) {
		List<LogRecord> records = records();
		Cost planned = measure(ROOMS, () -> {
			for (int from = 0; from < ROOMS; from += NotificationWorker.MAX_BATCH) {
				this.reader.handle(0, records.subList(from, from + NotificationWorker.MAX_BATCH));
			}
		});
		check(this.tasks.count(), AWAY * ROOMS);
		Cost decided = measure(DECIDED, this::decide);
		check(this.tasks.count(), AWAY * ROOMS - DECIDED);
		this.jdbc.execute("TRUNCATE TABLE push_task");
		this.jdbc.execute("TRUNCATE TABLE push_log");
		if (round >= 0) {
			System.out.printf(Locale.ROOT,
					"%-5s planned %,8.0f rooms/s, %6.1f us CPU; decided %,8.0f pushes/s, %6.1f us CPU%n", database,
					planned.perSecond(), planned.cpuMicros(), decided.perSecond(), decided.cpuMicros());
		}
	}

	private List<LogRecord> records() {
		List<LogRecord> records = new ArrayList<>();
		for (int room = 0; room < ROOMS; room++) {
			MessagePosted message = new MessagePosted(room(room), UUID.randomUUID().toString(), user(room, 0),
					UUID.randomUUID().toString(), Instant.now(), "x".repeat(60), Map.of());
			records.add(new LogRecord(0, this.next++, EventRecord.of(message).encode()));
		}
		return records;
	}

	private void decide() {
		Instant now = Instant.now();
		for (int decided = 0; decided < DECIDED; decided += BATCH) {
			String claim = UUID.randomUUID().toString();
			List<PushTask> taken = this.tasks.take(BATCH, now, claim, now.plus(LEASE));
			TaskDecisions decisions = this.decider.decide(taken, now);
			PushDelivery.Result result = this.delivery.deliver(decisions.sends(), now);
			try {
				this.results.store(decisions, result, claim);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}
	}

	private static Cost measure(int count, Runnable work) {
		long cpu = THREADS.getCurrentThreadCpuTime();
		long start = System.nanoTime();
		work.run();
		return new Cost(count * 1e9 / (System.nanoTime() - start),
				(THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / count);
	}

	private static void check(long tasks, long expected) {
		if (tasks != expected) {
			throw new IllegalStateException("%d push tasks instead of %d".formatted(tasks, expected));
		}
	}

}
