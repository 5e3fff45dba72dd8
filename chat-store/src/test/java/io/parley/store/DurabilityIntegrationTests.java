package io.parley.store;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills a JVM while it writes and checks what it has committed. */
@Tag("exhaustive")
class DurabilityIntegrationTests {

	private static final boolean FULL_SIZE = Boolean.getBoolean("parley.test.full-size");

	private static final int ENOUGH = 50;

	/**
	 * With several connections to H2, about one kill in twenty left half a transaction.
	 */
	private static final int KILLS = FULL_SIZE ? 40 : 2;

	private static final int MOST_TRANSACTIONS = 100;

	private static final int ACCOUNTS_PER_ROOM = 20;

	@Test
	void keepsWhatWasCommittedWhenTheProcessIsKilled(@TempDir Path directory) throws Exception {
		List<String> committed = writeUntilKilled(Writer.class, url(directory), ENOUGH);
		assertThat(committed).hasSizeGreaterThanOrEqualTo(ENOUGH);
		try (ConfigurableApplicationContext context = start(url(directory))) {
			AccountRepository accounts = context.getBean(AccountRepository.class);
			RoomRepository rooms = context.getBean(RoomRepository.class);
			assertThat(committed).allMatch(accounts::existsById).allMatch(rooms::existsById);
		}
	}

	@Test
	void keepsNoHalfTransactionWhenTheProcessIsKilled(@TempDir Path directory) throws Exception {
		String url = url(directory);
		for (int kill = 0; kill < KILLS; kill++) {
			writeUntilKilled(ConcurrentWriter.class, url, 1 + ThreadLocalRandom.current().nextInt(MOST_TRANSACTIONS));
			try (ConfigurableApplicationContext context = start(url)) {
				assertThat(context.getBean(AccountRepository.class).count()).as("accounts after kill %d", kill)
					.isEqualTo(ACCOUNTS_PER_ROOM * context.getBean(RoomRepository.class).count());
			}
		}
	}

	private static String url(Path directory) {
		return "jdbc:h2:file:" + directory.resolve("parley") + ";WRITE_DELAY=0";
	}

	private static List<String> writeUntilKilled(Class<?> program, String url, int enough) throws Exception {
		Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				program.getName(), url)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<String> committed = new ArrayList<>();
		try (BufferedReader output = writer.inputReader()) {
			String line;
			while ((line = output.readLine()) != null) {
				if (line.startsWith("committed ")) {
					committed.add(line.substring("committed ".length()));
				}
				if (committed.size() == enough) {
					writer.toHandle().destroyForcibly();
				}
			}
		}
		finally {
			writer.destroyForcibly();
		}
		assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
		return committed;
	}

	private static ConfigurableApplicationContext start(String url) {
		return new SpringApplicationBuilder(StoreApplication.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "spring.datasource.url=" + url)
			.run();
	}

	/** Saves accounts and rooms until it is killed, and prints what it has committed. */
	static class Writer {

		public static void main(String[] arguments) {
			ConfigurableApplicationContext context = start(arguments[0]);
			AccountRepository accounts = context.getBean(AccountRepository.class);
			RoomRepository rooms = context.getBean(RoomRepository.class);
			for (int i = 0;; i++) {
				String name = "n" + i;
				accounts.save(new Account(name, "hash", Instant.EPOCH));
				rooms.save(new Room(name, name, RoomKind.GROUP, null, 0, null, name, Instant.EPOCH, true));
				System.out.println("committed " + name);
			}
		}

	}

	/** Saves rooms from four threads, each room and its accounts in one transaction. */
	static class ConcurrentWriter {

		public static void main(String[] arguments) {
			ConfigurableApplicationContext context = start(arguments[0]);
			for (int thread = 0; thread < 4; thread++) {
				Thread.ofPlatform().start(() -> write(context));
			}
		}

		private static void write(ConfigurableApplicationContext context) {
			TransactionTemplate transaction = context.getBean(TransactionTemplate.class);
			while (true) {
				String room = UUID.randomUUID().toString();
				transaction.executeWithoutResult((status) -> save(context, room));
				System.out.println("committed " + room);
			}
		}

		private static void save(ConfigurableApplicationContext context, String room) {
			context.getBean(AccountRepository.class)
				.saveAll(IntStream.range(0, ACCOUNTS_PER_ROOM)
					.mapToObj((i) -> new Account(room + i, "hash", Instant.EPOCH))
					.toList());
			context.getBean(RoomRepository.class)
				.save(new Room(room, room, RoomKind.GROUP, null, 0, null, "anna", Instant.EPOCH, true));
		}

	}

}
