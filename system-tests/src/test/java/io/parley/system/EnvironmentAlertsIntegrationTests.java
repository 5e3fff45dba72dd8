package io.parley.system;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.parley.log.rabbitmq.RabbitBroker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.testcontainers.DockerClientFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A slow hook, a slow broker of mode relay, a small disk, and our alerts in a real
 * Prometheus.
 */
@Tag("exhaustive")
class EnvironmentAlertsIntegrationTests {

	private static final int MIB = 1024 * 1024;

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	@TempDir
	private Path directory;

	private final ChatApi api = new ChatApi(this.server.url());

	@BeforeEach
	void require() throws Exception {
		AlertMonitor.assumeInstalled();
	}

	@Test
	void tellsOfSlowAcceptance() throws Exception {
		HttpServer hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		hook.createContext("/", EnvironmentAlertsIntegrationTests::allowSlowly);
		hook.start();
		this.server
			.with("--chat.messages.hook.url=http://127.0.0.1:" + hook.getAddress().getPort() + "/",
					"--chat.messages.hook.deadline=10s")
			.start();
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Room", List.of());
		try (AlertMonitor monitor = new AlertMonitor(this.directory, this.server.managementUrl());
				StompClient client = StompClient.connect(this.server.url(), token, (frame) -> {
				})) {
			monitor.awaitFiring(() -> {
				client.say(room, "text");
				return client;
			}, "ParleyAcceptanceSlow");
		}
		finally {
			hook.stop(0);
		}
	}

	private static void allowSlowly(HttpExchange exchange) throws IOException {
		try (exchange) {
			Thread.sleep(400);
			byte[] answer = "{\"allow\":true}".getBytes(StandardCharsets.UTF_8);
			exchange.sendResponseHeaders(200, answer.length);
			exchange.getResponseBody().write(answer);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Test
	void tellsOfALateBroker() throws Exception {
		assumeTrue(DockerClientFactory.instance().isDockerAvailable(), "no Docker engine answers: start one");
		try (RabbitBroker broker = RabbitBroker.startWithStomp()) {
			this.server
				.with("--chat.broker.mode=relay", "--chat.broker.relay.host=127.0.0.1",
						"--chat.broker.relay.port=" + broker.stompPort(),
						"--chat.broker.relay.username=" + RabbitBroker.USER,
						"--chat.broker.relay.password=" + RabbitBroker.USER)
				.start();
			String token = this.api.login("alice", "demo");
			String room = this.api.createRoom(token, "Room", List.of());
			Queue<String> received = new ConcurrentLinkedQueue<>();
			try (AlertMonitor monitor = new AlertMonitor(this.directory, this.server.managementUrl());
					StompClient client = StompClient.connect(this.server.url(), token,
							(frame) -> received.add(frame.json().path("type").asString()))) {
				client.subscribe("s", "/topic/rooms." + room);
				AlertMonitor.await().until(() -> received.contains("subscribed"));
				broker.pause();
				try {
					monitor.awaitFiring(() -> this.api.post(token, room, UUID.randomUUID().toString(), "text"),
							"ParleyBrokerLate");
				}
				finally {
					broker.unpause();
				}
			}
		}
	}

	/** The disk has 1.26 GB, of which 0.84 GB stay free. */
	@Test
	void tellsOfADiskThatIsNearlyFull() throws Exception {
		Path disk = Files.createDirectory(this.directory.resolve("disk"));
		assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=1200m", "tmpfs", disk.toString()),
				"only root can mount a small disk");
		ChatServerProcess onDisk = new ChatServerProcess(disk);
		try {
			onDisk.start();
			try (AlertMonitor monitor = new AlertMonitor(this.directory, onDisk.managementUrl())) {
				Path file = fill(disk.resolve("file"), 400);
				monitor.awaitFiring("ParleyDiskNearlyFull");
				Files.delete(file);
				monitor.awaitNothingFiring();
			}
		}
		finally {
			onDisk.kill9();
			assertThat(run("umount", disk.toString())).isTrue();
		}
	}

	private static boolean run(String... command) throws Exception {
		return new ProcessBuilder(command).inheritIO().start().waitFor() == 0;
	}

	private static Path fill(Path file, int mebibytes) throws IOException {
		try (OutputStream out = Files.newOutputStream(file)) {
			for (int i = 0; i < mebibytes; i++) {
				out.write(new byte[MIB]);
			}
		}
		return file;
	}

}
