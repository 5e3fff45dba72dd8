package io.parley.store;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import io.parley.store.room.Room;
import io.parley.store.room.RoomKind;
import io.parley.store.room.RoomRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/** Kills a JVM in the middle of writing and looks at what it has committed. */
class DurabilityIntegrationTests {

	private static final int ENOUGH = 50;

	@Test
	void keepsWhatWasCommittedWhenTheProcessIsKilled(@TempDir Path directory) throws Exception {
		List<String> committed = writeUntilKilled(url(directory));
		assertThat(committed).hasSizeGreaterThanOrEqualTo(ENOUGH);
		try (ConfigurableApplicationContext context = start(url(directory))) {
			AccountRepository accounts = context.getBean(AccountRepository.class);
			RoomRepository rooms = context.getBean(RoomRepository.class);
			assertThat(committed).allMatch(accounts::existsById).allMatch(rooms::existsById);
		}
	}

	private static String url(Path directory) {
		return "jdbc:h2:file:" + directory.resolve("parley") + ";WRITE_DELAY=0";
	}

	private static List<String> writeUntilKilled(String url) throws Exception {
		Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
				"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"),
				Writer.class.getName(), url)
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<String> committed = new ArrayList<>();
		try (BufferedReader output = writer.inputReader()) {
			String line;
			while ((line = output.readLine()) != null) {
				if (line.startsWith("committed ")) {
					committed.add(line.substring("committed ".length()));
				}
				if (committed.size() == ENOUGH) {
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

	/** Saves accounts and rooms until it is killed, and says what it has committed. */
	static class Writer {

		public static void main(String[] arguments) {
			ConfigurableApplicationContext context = start(arguments[0]);
			AccountRepository accounts = context.getBean(AccountRepository.class);
			RoomRepository rooms = context.getBean(RoomRepository.class);
			for (int i = 0;; i++) {
				String name = "n" + i;
				accounts.save(new Account(name, "hash", Instant.EPOCH));
				rooms.save(new Room(name, name, RoomKind.GROUP, null, 0, null, name, Instant.EPOCH));
				System.out.println("committed " + name);
			}
		}

	}

}
