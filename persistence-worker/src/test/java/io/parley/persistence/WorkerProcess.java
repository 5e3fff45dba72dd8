package io.parley.persistence;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.Semaphore;

import io.parley.log.RoomLog;
import io.parley.log.config.RoomLogAutoConfiguration;
import io.parley.log.worker.ReaderSettings;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * The main class of the child process in {@link CrashIntegrationTests}. It appends until
 * it is killed and stores the records meanwhile. It prints {@code confirmed clientId .}
 * for each confirm and {@code stored} for each batch in the database.
 */
final class WorkerProcess {

	static final int PARTITIONS = 4;

	static final int ROOMS = 20;

	private static final int IN_FLIGHT = 200;

	private WorkerProcess() {
	}

	/** Opens no other log, which would start a new epoch on each start. */
	@SpringBootConfiguration
	@EnableAutoConfiguration(exclude = RoomLogAutoConfiguration.class)
	@Import(PersistenceFixture.class)
	static class StoreOnly {

	}

	static ConfigurableApplicationContext start(Path directory) {
		return new SpringApplicationBuilder(StoreOnly.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "logging.level.root=warn",
					"spring.datasource.url=jdbc:h2:file:" + directory.resolve("db") + ";WRITE_DELAY=0")
			.run();
	}

	static RoomLog log(Path directory) {
		return PersistenceFixture.log(directory.resolve("log"), PARTITIONS);
	}

	static PersistenceWorker worker(ConfigurableApplicationContext context, RoomLog log, PersistenceListener listener) {
		return new PersistenceWorker(log, context.getBean(PersistenceFixture.class).writer(log, listener),
				ReaderSettings.of(PersistenceWorker.MAX_BATCH), context);
	}

	static void main(String[] args) {
		PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
		Path directory = Path.of(args[0]);
		RoomLog log = log(directory);
		worker(start(directory), log, (partition, next) -> out.println("stored")).start();
		Semaphore free = new Semaphore(IN_FLIGHT);
		for (int i = 0; true; i++) {
			free.acquireUninterruptibly();
			String clientId = args[1] + "-" + i;
			PersistenceFixture.appending(log, PersistenceFixture.message("room" + i % ROOMS, "anna", clientId))
				.whenComplete((offset, failure) -> {
					free.release();
					out.println((failure != null) ? "failed " + failure : "confirmed " + clientId + " .");
				});
		}
	}

}
