package io.parley.system;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests {@code ./chat backup} while messages are written, and {@code ./chat restore} to
 * an empty directory.
 */
class BackupIntegrationTests {

	private static final int WRITERS = 4;

	private static final int ENOUGH = Boolean.getBoolean("parley.test.full-size") ? 10_000 : 500;

	@TempDir
	private static Path temporary;

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	@RegisterExtension
	final ChatServerProcess restored = new ChatServerProcess();

	private final ChatApi api = new ChatApi(this.server.url());

	private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();

	private final AtomicInteger count = new AtomicInteger();

	private final AtomicBoolean done = new AtomicBoolean();

	@Test
	void containsEveryMessageAcknowledgedBeforeIt() throws Exception {
		this.server.start();
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Kept", List.of("bob"));
		List<Thread> writers = new ArrayList<>();
		for (int i = 0; i < WRITERS; i++) {
			writers.add(Thread.ofVirtual().start(() -> write(token, room)));
		}
		awaitAcknowledged(ENOUGH);
		Set<String> before = Set.copyOf(this.acknowledged);
		Path backup = temporary.resolve("backups/monday");
		assertThat(chat(this.server, "backup", backup.toString())).isZero();
		assertThat(PosixFilePermissions
			.toString(Files.getPosixFilePermissions(backup.resolve("keys").resolve("jwt-private.pem"))))
			.isEqualTo("rw-------");
		awaitAcknowledged(this.acknowledged.size() + 50);
		this.done.set(true);
		for (Thread writer : writers) {
			writer.join();
		}
		this.server.kill9();

		assertThat(chat(this.restored, "restore", backup.toString())).isZero();
		this.restored.start();
		ChatApi again = new ChatApi(this.restored.url());
		RoomHistory history = new RoomHistory(room, again.history(token, room));
		history.assertUnbroken();
		List<String> found = history.messages().stream().map((message) -> message.path("clientId").asString()).toList();
		assertThat(found).doesNotHaveDuplicates().containsAll(before);
		again.post(token, room, "afterwards", "goes on");
		List<JsonNode> events = again.history(token, room);
		assertThat(events.getLast().path("clientId").asString()).isEqualTo("afterwards");
	}

	@Test
	@Tag("exhaustive")
	void isNotRestoredWhenDamagedOrOverExistingData() throws Exception {
		this.server.start();
		Path backup = temporary.resolve("tuesday");
		assertThat(chat(this.server, "backup", backup.toString())).isZero();
		assertThat(chat(this.server, "backup", backup.toString())).as("into an existing folder").isEqualTo(1);
		assertThat(chat(this.server, "restore", backup.toString())).as("over the data of a server").isEqualTo(1);
		Files.writeString(backup.resolve("backup.json"), "{}");
		assertThat(chat(this.restored, "restore", backup.toString())).as("damaged").isEqualTo(1);
		assertThat(this.restored.directory().resolve("data/db")).doesNotExist();
		assertThat(chat(this.restored, "restore", "nowhere")).isEqualTo(1);
		assertThat(chat(this.restored, "backup", temporary.resolve("none").toString())).as("without a server")
			.isEqualTo(1);
	}

	private void write(String token, String room) {
		while (!this.done.get()) {
			String clientId = "c" + this.count.incrementAndGet();
			this.api.post(token, room, clientId, "Hello");
			this.acknowledged.add(clientId);
		}
	}

	private void awaitAcknowledged(int messages) {
		Awaitility.await("acknowledged messages")
			.atMost(Duration.ofMinutes(5))
			.until(() -> this.acknowledged.size() >= messages);
	}

	/** Runs the {@code chat} script in the directory of a server. */
	private static int chat(ChatServerProcess server, String... arguments) throws IOException, InterruptedException {
		if (!Files.exists(server.directory().resolve("chat"))) {
			CheckoutCopy.in(server.directory());
		}
		List<String> command = new ArrayList<>(List.of("bash", server.directory().resolve("chat").toString()));
		command.addAll(List.of(arguments));
		ProcessBuilder chat = new ProcessBuilder(command).inheritIO();
		chat.environment().put("MANAGEMENT_SERVER_PORT", Integer.toString(server.managementUrl().getPort()));
		Process running = chat.start();
		assertThat(running.waitFor(2, TimeUnit.MINUTES)).isTrue();
		return running.exitValue();
	}

}
