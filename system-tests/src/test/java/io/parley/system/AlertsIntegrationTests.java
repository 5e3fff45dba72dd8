package io.parley.system;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

import io.parley.log.SigningKey;
import io.parley.log.rabbitmq.RabbitBroker;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills what the packaged server needs, and waits for our alerts in a real Prometheus.
 */
@Tag("exhaustive")
class AlertsIntegrationTests {

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	@TempDir
	private Path directory;

	private final StoppableDatabase database = new StoppableDatabase();

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.log.backend=rabbitmq",
			"--chat.workers.in-process=true", "--chat.log.rabbitmq.addresses=" + broker.address(),
			"--chat.log.rabbitmq.username=" + RabbitBroker.USER, "--chat.log.rabbitmq.password=" + RabbitBroker.USER,
			"--chat.log.rabbitmq.stream-prefix=test-" + UUID.randomUUID(), "--chat.log.partitions=2",
			"--chat.security.jwt.private-key=file:" + SigningKey.file(), this.database.setting());

	private final ChatApi api = new ChatApi(this.server.url());

	private @Nullable AlertMonitor monitor;

	private String token = "";

	private String room = "";

	@BeforeEach
	void start() throws Exception {
		AlertMonitor.assumeInstalled();
		this.database.start(this.directory);
		this.server.start();
		this.token = this.api.login("alice", "demo");
		this.room = this.api.createRoom(this.token, "Room", List.of());
		this.api.post(this.token, this.room, "c1", "before");
		this.monitor = new AlertMonitor(this.directory, this.server.managementUrl());
	}

	@AfterEach
	void stop() throws Exception {
		if (this.monitor != null) {
			this.monitor.close();
		}
		this.database.kill();
	}

	@Test
	void eachRuleRaisesItsAlertOnly() throws Exception {
		assertThat(ChildCommand.run(AlertMonitor.RULES, "promtool", "test", "rules", "parley.rules.test.yml"))
			.contains("SUCCESS");
		assertThat(ChildCommand.run(AlertMonitor.RULES, "promtool", "check", "config", "prometheus.yml"))
			.contains("SUCCESS");
	}

	@Test
	void tellsOfAServerThatIsGone() throws Exception {
		assertThat(monitor().firing()).isEmpty();
		this.server.kill9();
		monitor().awaitFiring("ParleyProcessDown", "ParleyNoChatServer", "ParleyNoPersistence", "ParleyNoNotification");
		this.server.start();
		AlertMonitor.await().until(() -> monitor().firing().isEmpty());
	}

	@Test
	void tellsOfALogThatIsGone() throws Exception {
		broker.stop();
		try {
			AlertMonitor.await().until(() -> {
				postOrFail();
				return monitor().firing();
			}, (alerts) -> alerts
				.containsAll(Set.of("ParleyLogUnavailable", "ParleyMessagesRefused", "ParleyServerErrors")));
		}
		finally {
			broker.start();
		}
		AlertMonitor.await().until(() -> !monitor().firing().contains("ParleyLogUnavailable"));
	}

	@Test
	void tellsOfADatabaseThatIsGone() throws Exception {
		this.database.kill();
		this.api.post(this.token, this.room, "c2", "not stored");
		monitor().awaitFiring("ParleyStorageLate", "ParleyPushReaderLate");
		this.database.start(this.directory);
		AlertMonitor.await().until(() -> !monitor().firing().contains("ParleyStorageLate"));
	}

	private AlertMonitor monitor() {
		return Objects.requireNonNull(this.monitor);
	}

	private void postOrFail() {
		try {
			this.api.post(this.token, this.room, UUID.randomUUID().toString(), "away");
		}
		catch (AssertionError | Exception ex) {
			// The log refuses it: that is counted.
		}
	}

}
