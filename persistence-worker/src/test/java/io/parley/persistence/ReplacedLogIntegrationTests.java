package io.parley.persistence;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

import io.parley.log.FreePorts;
import io.parley.log.RoomLog;
import io.parley.log.health.ExitWhenBroken;
import io.parley.log.rabbitmq.RabbitBroker;
import io.parley.log.rabbitmq.RabbitRoomLog;
import io.parley.store.MySqlServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests the packaged worker on a real RabbitMQ and MySQL while its streams are deleted.
 */
@Tag("exhaustive")
class ReplacedLogIntegrationTests {

	private static final Duration PATIENCE = Duration.ofMinutes(5);

	private static final int PARTITIONS = 2;

	@RegisterExtension
	static final RabbitBroker broker = new RabbitBroker();

	private final String name = "replaced_" + UUID.randomUUID().toString().replace("-", "");

	@TempDir
	private Path directory;

	private Process process;

	private int port;

	@AfterEach
	void end() throws InterruptedException {
		if (this.process != null) {
			this.process.destroyForcibly().waitFor();
		}
	}

	@Test
	void exitsWhenItsStreamsAreDeleted() throws Exception {
		startAndDeleteTheStreams();
	}

	@Test
	void storesFromTheNewLogAfterARestart() throws Exception {
		startAndDeleteTheStreams();
		start();
		append("c2");
		assertThat(stored()).containsExactly("c1 1", "c2 2");
	}

	private void startAndDeleteTheStreams() throws Exception {
		start();
		append("c1");
		await().atMost(PATIENCE).until(() -> ready().contains("\"behind\":\"0 records\""));
		for (int partition = 0; partition < PARTITIONS; partition++) {
			broker.deleteStream(this.name, partition);
		}
		assertThat(this.process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.process.exitValue()).as(this::output).isEqualTo(ExitWhenBroken.EXIT_CODE);
	}

	private void start() throws IOException {
		this.port = FreePorts.next();
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m",
						"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar",
						Path.of("../target", "persistence-worker-exec.jar").toAbsolutePath().toString()));
		command.addAll(List.of("--chat.log.rabbitmq.addresses=" + broker.address(),
				"--chat.log.rabbitmq.username=" + RabbitBroker.USER,
				"--chat.log.rabbitmq.password=" + RabbitBroker.USER, "--chat.log.rabbitmq.stream-prefix=" + this.name,
				"--chat.log.partitions=" + PARTITIONS, "--spring.datasource.url=" + MySqlServer.url(this.name),
				"--spring.datasource.username=" + MySqlServer.USERNAME,
				"--spring.datasource.password=" + MySqlServer.PASSWORD, "--server.port=" + this.port,
				"--management.server.port=0"));
		this.process = new ProcessBuilder(command).directory(this.directory.toFile())
			.redirectErrorStream(true)
			.redirectOutput(ProcessBuilder.Redirect.appendTo(this.directory.resolve("output").toFile()))
			.start();
		await().atMost(PATIENCE)
			.failFast(() -> assertThat(this.process.isAlive()).as(this::output).isTrue())
			.ignoreExceptionsInstanceOf(IOException.class)
			.until(() -> ready().contains("UP"));
	}

	/** Appends like a restarted chat server and waits until the event is stored. */
	private void append(String clientId) {
		try (RoomLog log = RabbitRoomLog.open(broker.settings(this.name, PARTITIONS))) {
			PersistenceFixture.append(log, PersistenceFixture.message("room", "anna", clientId));
			await().atMost(PATIENCE).until(() -> stored().stream().anyMatch((row) -> row.startsWith(clientId)));
		}
	}

	private List<String> stored() throws SQLException {
		List<String> rows = new ArrayList<>();
		try (Connection connection = DriverManager.getConnection(MySqlServer.url(this.name), MySqlServer.USERNAME,
				MySqlServer.PASSWORD);
				ResultSet events = connection.createStatement()
					.executeQuery("SELECT client_id, number FROM room_event ORDER BY position")) {
			while (events.next()) {
				rows.add(events.getString(1) + " " + events.getLong(2));
			}
		}
		return rows;
	}

	private String ready() throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + this.port + "/readyz")).build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

	private String output() {
		try {
			return Files.readString(this.directory.resolve("output"));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

}
