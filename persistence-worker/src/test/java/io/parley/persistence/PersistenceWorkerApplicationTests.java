package io.parley.persistence;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import javax.sql.DataSource;

import io.parley.log.RoomLog;
import io.parley.store.event.RoomEventRepository;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestConstructor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Tests the deployable, with a log of this test instead of RabbitMQ. */
@SpringBootTest(
		classes = { PersistenceWorkerApplication.class, WorkerApplication.class, WorkerApplication.SharedLog.class },
		webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:deployable", "spring.datasource.username=sa",
				"management.server.port=0" })
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DirtiesContext
@Tag("slow")
class PersistenceWorkerApplicationTests {

	private final HttpClient http = HttpClient.newHttpClient();

	private final Environment environment;

	private final FailingDataSource database;

	private final RoomLog log;

	private final RoomEventRepository events;

	PersistenceWorkerApplicationTests(Environment environment, DataSource dataSource, RoomLog log,
			RoomEventRepository events) {
		this.environment = environment;
		this.database = (FailingDataSource) dataSource;
		this.log = log;
		this.events = events;
	}

	@Test
	void storesEventsAndReportsItsLag() throws Exception {
		PersistenceFixture.append(this.log, PersistenceFixture.message("deployed", "anna", "c1"));
		await().until(() -> this.events.byClientId("deployed", "anna", "c1").isPresent());
		assertThat(get("local.server.port", "/livez").statusCode()).isEqualTo(200);
		await().until(() -> get("local.server.port", "/readyz").body().contains("\"behind\":\"0 records\""));
		assertThat(get("local.server.port", "/readyz").statusCode()).isEqualTo(200);
		assertThat(get("local.management.port", "/actuator/prometheus").body())
			.contains("chat_reader_lag{reader=\"persistence\"} 0.0");
	}

	@Test
	void isNotReadyWhileTheDatabaseIsDown() throws Exception {
		this.database.down(true);
		HttpResponse<String> answer = get("local.server.port", "/readyz");
		PersistenceFixture.append(this.log, PersistenceFixture.message("deployed", "anna", "c2"));
		await().until(() -> get("local.server.port", "/readyz").body().contains("\"behind\":\"1 records\""));
		assertThat(get("local.server.port", "/livez").statusCode()).isEqualTo(200);
		this.database.down(false);
		assertThat(answer.statusCode()).isEqualTo(503);
		await().until(() -> get("local.server.port", "/readyz").statusCode() == 200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "local.server.port", "local.management.port" })
	void listensAtTheLoopbackAddressOnly(String key) throws Exception {
		int port = this.environment.getRequiredProperty(key, Integer.class);
		try (Socket socket = new Socket("127.0.0.1", port)) {
			assertThat(socket.isConnected()).isTrue();
		}
		assertThatThrownBy(() -> new Socket("127.0.0.2", port).close()).isInstanceOf(ConnectException.class);
	}

	private HttpResponse<String> get(String port, String path) throws IOException, InterruptedException {
		URI uri = URI.create("http://127.0.0.1:" + this.environment.getRequiredProperty(port) + path);
		return this.http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
	}

}
