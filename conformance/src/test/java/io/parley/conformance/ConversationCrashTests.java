package io.parley.conformance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import io.parley.packaged.ServerProcess;
import io.parley.server.testing.ChatServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The server is killed while people talk; all devices end in the same state. */
@Tag("exhaustive")
class ConversationCrashTests {

	private static final int STEPS = Boolean.getBoolean("parley.test.full-size") ? 150 : 60;

	private static final int KILLS = Boolean.getBoolean("parley.test.full-size") ? 3 : 2;

	/** Few enough that the conversation goes on after the last kill. */
	private static final int MOST_BEFORE_A_KILL = STEPS / 2;

	@Test
	void allDevicesEndInTheStateOfTheView(@TempDir Path directory) throws Exception {
		try (ServerProcess process = new ServerProcess(directory, "--spring.profiles.active=demo",
				"--chat.limits.sends-per-second=0", "--chat.limits.reactions-per-second=0",
				"--chat.history.replay=1000000"); ExecutorService thread = Executors.newSingleThreadExecutor()) {
			process.start();
			RandomConversation conversation = new RandomConversation(List.of(ChatServer.at(process.port())), true);
			Future<?> running = thread.submit(() -> {
				conversation.run(STEPS);
				return null;
			});
			for (int kill = 0; kill < KILLS; kill++) {
				int wanted = conversation.accepted() + ThreadLocalRandom.current().nextInt(MOST_BEFORE_A_KILL);
				await().atMost(Duration.ofMinutes(2)).until(() -> conversation.accepted() >= wanted);
				assertThat(running.isDone()).as("killed during the conversation").isFalse();
				process.kill();
				process.start();
			}
			running.get();
		}
	}

}
