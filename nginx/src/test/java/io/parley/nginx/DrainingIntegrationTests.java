package io.parley.nginx;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Tests what happens to sessions when nginx reloads its settings or is stopped. */
@EnabledIfDockerAvailable
class DrainingIntegrationTests {

	private static final String LONGER_THAN_THIS_TEST = "3600";

	private static final String ONE_SECOND = "1";

	@RegisterExtension
	static final RunningServer server = new RunningServer();

	private GenericContainer<?> nginx;

	private ChatClient alice;

	private ChatSession session;

	private void start(String drainSeconds) throws Exception {
		start(Map.of("CHAT_DRAIN_SECONDS", drainSeconds));
	}

	private void start(Map<String, String> settings) throws Exception {
		this.nginx = Containers.nginx(server.network(), settings);
		this.nginx.start();
		this.alice = server.alice().at(Containers.address(this.nginx));
		this.session = this.alice.join(server.room()).get(60, TimeUnit.SECONDS);
	}

	@AfterEach
	void stop() {
		this.session.leave();
		this.alice.close();
		this.nginx.stop();
	}

	@Test
	void keepsSessionsAcrossAReloadAndAppliesNewSettingsToNewOnes() throws Exception {
		start(LONGER_THAN_THIS_TEST);
		reload();
		ChatSession later = this.alice.join(server.room()).get(60, TimeUnit.SECONDS);
		server.alice().say(server.room(), "old and new");
		await().atMost(ConnectionLimitIntegrationTests.LONG)
			.until(() -> this.session.heard("old and new") && later.heard("old and new"));
		assertThat(this.session.failures()).isEmpty();
		later.leave();
	}

	@Test
	void endsTheSessionsOfOldWorkersAfterTheDrainTimeout() throws Exception {
		start(ONE_SECOND);
		signal("HUP");
		await().atMost(ConnectionLimitIntegrationTests.LONG)
			.until(() -> !this.session.failures().isEmpty() && !isDraining());
		this.session = reconnect();
		server.alice().say(server.room(), "here again");
		await().atMost(ConnectionLimitIntegrationTests.LONG).until(() -> this.session.heard("here again"));
		assertThat(this.session.failures()).as("the reconnected session").isEmpty();
	}

	@Test
	void refusesNewSessionsAfterQuitAndKeepsExistingOnes() throws Exception {
		start(LONGER_THAN_THIS_TEST);
		signal("QUIT");
		await().atMost(ConnectionLimitIntegrationTests.LONG).until(this::isDraining);
		assertThatThrownBy(() -> this.alice.join(server.room()).get(60, TimeUnit.SECONDS)).isNotNull();
		server.alice().say(server.room(), "still here");
		await().atMost(ConnectionLimitIntegrationTests.LONG).until(() -> this.session.heard("still here"));
		assertThat(this.session.failures()).isEmpty();
	}

	@Test
	void exitsWhenTheDrainTimeoutAfterQuitIsOver() throws Exception {
		start(ONE_SECOND);
		signal("QUIT");
		await().atMost(ConnectionLimitIntegrationTests.LONG)
			.until(() -> !this.nginx.isRunning() && !this.session.failures().isEmpty());
		assertThat(this.nginx.getCurrentContainerInfo().getState().getExitCodeLong()).isZero();
	}

	@Test
	void retriesAnotherServerWhenAStoppingOneRefuses() throws Exception {
		try (GenericContainer<?> stopping = Containers.stopping(server.network(), "stopping")) {
			stopping.start();
			start(Map.of("CHAT_SERVERS", "stopping:8080 chat-server:8080"));
			List<ChatSession> others = new ArrayList<>();
			for (int i = 0; i < 20; i++) {
				others.add(this.alice.join(server.room()).get(60, TimeUnit.SECONDS));
			}
			server.alice().say(server.room(), "nobody is left outside");
			await().atMost(ConnectionLimitIntegrationTests.LONG)
				.until(() -> others.stream().allMatch((other) -> other.heard("nobody is left outside")));
			others.forEach(ChatSession::leave);
		}
	}

	/**
	 * Reconnects like a client: an attempt without a quick response is followed by
	 * another.
	 */
	private ChatSession reconnect() {
		return await().atMost(ConnectionLimitIntegrationTests.LONG)
			.ignoreExceptions()
			.until(() -> this.alice.join(server.room()).get(5, TimeUnit.SECONDS), (session) -> true);
	}

	private void reload() throws IOException, InterruptedException {
		signal("HUP");
		await().atMost(ConnectionLimitIntegrationTests.LONG).until(this::isDraining);
	}

	private void signal(String name) {
		this.nginx.getDockerClient().killContainerCmd(this.nginx.getContainerId()).withSignal(name).exec();
	}

	/**
	 * Returns whether a worker process is shutting down. The brackets prevent grep from
	 * finding its own command line.
	 */
	private boolean isDraining() throws IOException, InterruptedException {
		return this.nginx.execInContainer("sh", "-c", "grep -l '[i]s shutting down' /proc/[0-9]*/cmdline")
			.getExitCode() == 0;
	}

}
