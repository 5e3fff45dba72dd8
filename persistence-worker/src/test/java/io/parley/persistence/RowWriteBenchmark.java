package io.parley.persistence;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import io.parley.benchmark.EventRow;
import io.parley.benchmark.OffsetRow;
import io.parley.benchmark.TaskRow;
import io.parley.events.EventRecord;
import io.parley.events.MessagePosted;
import io.parley.log.config.RoomLogAutoConfiguration;
import io.parley.store.MySqlServer;
import io.parley.store.log.ReaderOffsets;
import io.parley.store.push.PushKey;
import io.parley.store.push.PushTask;
import io.parley.store.push.PushTaskRepository;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.LockMode;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.SharedSessionContract;
import org.hibernate.StatelessSession;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.FileSystemUtils;

/**
 * Measures what it costs to write the rows of the hot path with JDBC and with JPA: events
 * with the offset of their reader, and push tasks, of which every second one merges into
 * a row that exists. All write the same rows, on H2 in a file and on MySQL, in
 * transactions of 1, 50 and 500 rows. The ways take turns in each round. Prints the
 * medians of the rounds, and the medians of the ratios to JDBC within a round. CPU time
 * and garbage are those of the writing thread: with H2 they include the database, with
 * MySQL they do not.
 */
final class RowWriteBenchmark {

	private static final int WARM_UP = 2;

	private static final int ROUNDS = 5;

	/** The number of rows that are written in one run, by batch size. */
	private static final Map<Integer, Integer> ROWS = new LinkedHashMap<>();

	static {
		ROWS.put(1, 300);
		ROWS.put(50, 5_000);
		ROWS.put(500, 10_000);
	}

	private static final Instant NOW = Instant.now().truncatedTo(ChronoUnit.MILLIS);

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final JdbcTemplate jdbc;

	private final TransactionTemplate transaction;

	private final EntityManager entities;

	private final SessionFactory sessions;

	private final ReaderOffsets offsets;

	private final EventTables events;

	private final PushTaskRepository tasks;

	private RowWriteBenchmark(ConfigurableApplicationContext context) {
		this.jdbc = context.getBean(JdbcTemplate.class);
		this.transaction = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
		this.entities = context.getBean(EntityManager.class);
		this.sessions = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
		this.offsets = context.getBean(ReaderOffsets.class);
		this.events = new EventTables(this.jdbc);
		this.tasks = context.getBean(PushTaskRepository.class);
	}

	/** The store, and entities for tables that it writes without JPA. */
	@SpringBootConfiguration
	@EnableAutoConfiguration(exclude = RoomLogAutoConfiguration.class)
	@EntityScan({ "io.parley.store", "io.parley.benchmark" })
	static class Store {

	}

	/** The cost of one run, per row. */
	private record Cost(double rowsPerSecond, double cpuMicros, double bytes) {
	}

	/**
	 * A table and the ways to write it.
	 *
	 * @param row returns a row by its number and the batch size
	 * @param ways each writes one batch in one transaction
	 */
	private record Workload<T>(String table, BiFunction<Integer, Integer, T> row,
			Map<String, BiConsumer<List<T>, Integer>> ways) {
	}

	/** Prints a table for each database. */
	public static void main(String[] args) throws IOException {
		Path directory = Files.createTempDirectory("row-write-benchmark");
		try {
			run("H2", "spring.datasource.url=jdbc:h2:file:" + directory.resolve("db") + ";WRITE_DELAY=0");
		}
		finally {
			FileSystemUtils.deleteRecursively(directory);
		}
		run("MySQL", MySqlServer.properties("benchmark"));
	}

	private static void run(String database, String... properties) {
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Store.class)
			.web(WebApplicationType.NONE)
			.properties(properties)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn", "spring.jpa.hibernate.ddl-auto=none",
					"spring.jpa.properties.hibernate.jdbc.batch_size=500")
			.run()) {
			RowWriteBenchmark benchmark = new RowWriteBenchmark(context);
			benchmark.offsets.commit(PersistenceWorker.READER, 0, 1, 0);
			benchmark.measure(database, benchmark.events());
			benchmark.measure(database, benchmark.tasks());
		}
	}

	private Workload<NumberedRecord> events() {
		Map<String, BiConsumer<List<NumberedRecord>, Integer>> ways = new LinkedHashMap<>();
		ways.put("JDBC", this::jdbc);
		ways.put("EntityManager", this::entityManager);
		ways.put("StatelessSession", this::statelessSession);
		return new Workload<>("room_event", (i, batch) -> event(i), ways);
	}

	private static NumberedRecord event(int i) {
		return new NumberedRecord(i + 1, i, i,
				EventRecord.of(new MessagePosted("room-" + i % 100, UUID.randomUUID().toString(), "user" + i % 50,
						UUID.randomUUID().toString(), NOW, "x".repeat(200), Map.of())));
	}

	private void jdbc(List<NumberedRecord> batch, int next) {
		this.transaction.executeWithoutResult((status) -> {
			this.events.insert(batch);
			this.offsets.commit(PersistenceWorker.READER, 0, 1, next);
		});
	}

	private void entityManager(List<NumberedRecord> batch, int next) {
		this.transaction.executeWithoutResult((status) -> {
			batch.forEach((event) -> this.entities.persist(row(event)));
			this.entities.flush();
			this.entities.clear();
			commit(this.entities.unwrap(Session.class), next);
		});
	}

	private void statelessSession(List<NumberedRecord> batch, int next) {
		this.sessions.inStatelessTransaction((session) -> {
			session.insertMultiple(batch.stream().map(RowWriteBenchmark::row).toList());
			commit(session, next);
		});
	}

	private static EventRow row(NumberedRecord event) {
		return new EventRow(event.position(), event.prev(), event.number(), event.event());
	}

	private static void commit(SharedSessionContract session, int next) {
		session.createMutationQuery(OffsetRow.UPDATE)
			.setParameter("epoch", 1L)
			.setParameter("next", (long) next)
			.setParameter("reader", PersistenceWorker.READER)
			.setParameter("partition", 0)
			.executeUpdate();
	}

	private Workload<PushTask> tasks() {
		Map<String, BiConsumer<List<PushTask>, Integer>> ways = new LinkedHashMap<>();
		ways.put("JDBC", (batch, next) -> this.transaction.executeWithoutResult((status) -> this.tasks.merge(batch)));
		ways.put("EntityManager", (batch, next) -> this.transaction.executeWithoutResult((status) -> {
			mergeManaged(batch);
			this.entities.flush();
			this.entities.clear();
		}));
		ways.put("StatelessSession",
				(batch, next) -> this.sessions.inStatelessTransaction((session) -> merge(session, batch)));
		return new Workload<>("push_task", RowWriteBenchmark::task, ways);
	}

	/** Every second batch merges into the rows of the batch before. */
	private static PushTask task(int i, int batch) {
		return PushTask.of("user" + (i / (2 * batch) * batch + i % batch), "room-1", i + 1, false, "anna",
				"x".repeat(100), NOW, NOW, NOW.plusSeconds(60));
	}

	private static List<PushKey> keys(List<PushTask> batch) {
		return batch.stream().map((task) -> new PushKey(task.username(), task.room())).toList();
	}

	private void mergeManaged(List<PushTask> batch) {
		List<TaskRow> known = this.entities.unwrap(Session.class)
			.findMultiple(TaskRow.class, keys(batch), LockMode.PESSIMISTIC_WRITE);
		for (int i = 0; i < batch.size(); i++) {
			if (known.get(i) != null) {
				known.get(i).merge(batch.get(i));
			}
			else {
				this.entities.persist(new TaskRow(batch.get(i)));
			}
		}
	}

	private static void merge(StatelessSession session, List<PushTask> batch) {
		List<TaskRow> known = session.getMultiple(TaskRow.class, keys(batch), LockMode.PESSIMISTIC_WRITE);
		List<TaskRow> merged = new ArrayList<>();
		List<TaskRow> fresh = new ArrayList<>();
		for (int i = 0; i < batch.size(); i++) {
			if (known.get(i) != null) {
				known.get(i).merge(batch.get(i));
				merged.add(known.get(i));
			}
			else {
				fresh.add(new TaskRow(batch.get(i)));
			}
		}
		session.updateMultiple(merged);
		session.insertMultiple(fresh);
	}

	private <T> void measure(String database, Workload<T> workload) {
		ROWS.forEach((batch, rows) -> {
			List<T> all = IntStream.range(0, rows).mapToObj((i) -> workload.row().apply(i, batch)).toList();
			Map<String, List<Cost>> costs = new LinkedHashMap<>();
			for (int round = 0; round < WARM_UP + ROUNDS; round++) {
				for (String way : workload.ways().keySet()) {
					this.jdbc.execute("TRUNCATE TABLE " + workload.table());
					Cost cost = run(all, batch, workload.ways().get(way));
					check(workload, rows);
					if (round >= WARM_UP) {
						costs.computeIfAbsent(way, (key) -> new ArrayList<>()).add(cost);
					}
				}
			}
			costs.forEach((way, ofWay) -> print(database, workload.table(), batch, way, ofWay, costs.get("JDBC")));
		});
	}

	private void check(Workload<?> workload, int rows) {
		Integer stored = this.jdbc.queryForObject("SELECT COUNT(*) FROM " + workload.table(), Integer.class);
		int expected = workload.table().equals("push_task") ? rows / 2 : rows;
		if (stored == null || stored != expected) {
			throw new IllegalStateException(
					"%s has %s rows instead of %d".formatted(workload.table(), stored, expected));
		}
	}

	private static <T> Cost run(List<T> rows, int batch, BiConsumer<List<T>, Integer> way) {
		long bytes = THREADS.getCurrentThreadAllocatedBytes();
		long cpu = THREADS.getCurrentThreadCpuTime();
		long start = System.nanoTime();
		for (int from = 0; from < rows.size(); from += batch) {
			way.accept(rows.subList(from, from + batch), from + batch);
		}
		double count = rows.size();
		return new Cost(count * 1e9 / (System.nanoTime() - start),
				(THREADS.getCurrentThreadCpuTime() - cpu) / 1e3 / count,
				(THREADS.getCurrentThreadAllocatedBytes() - bytes) / count);
	}

	private static void print(String database, String table, int batch, String way, List<Cost> costs, List<Cost> jdbc) {
		System.out.printf(Locale.ROOT,
				"%-5s %-10s %3d %-16s %,8.0f rows/s (%.2f) %7.1f us CPU (%.2f) %,9.0f bytes (%.2f)%n", database, table,
				batch, way, median(costs, Cost::rowsPerSecond), ratio(costs, jdbc, Cost::rowsPerSecond),
				median(costs, Cost::cpuMicros), ratio(costs, jdbc, Cost::cpuMicros), median(costs, Cost::bytes),
				ratio(costs, jdbc, Cost::bytes));
	}

	private static double median(List<Cost> costs, ToDoubleFunction<Cost> value) {
		return median(costs.stream().mapToDouble(value).toArray());
	}

	private static double ratio(List<Cost> costs, List<Cost> jdbc, ToDoubleFunction<Cost> value) {
		return median(IntStream.range(0, costs.size())
			.mapToDouble((i) -> value.applyAsDouble(costs.get(i)) / value.applyAsDouble(jdbc.get(i)))
			.toArray());
	}

	private static double median(double[] values) {
		Arrays.sort(values);
		return values[values.length / 2];
	}

}
