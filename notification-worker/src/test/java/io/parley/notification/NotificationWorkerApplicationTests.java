package io.parley.notification;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

import io.parley.log.RoomLog;
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
@SpringBootTest(classes = { NotificationWorkerApplication.class, PushApplication.SharedLog.class },
		webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = { "spring.datasource.url=jdbc:h2:mem:deployable", "spring.datasource.username=sa",
				"management.server.port=0", "chat.log.readiness-grace=0s" })
@TestConstructor(autowireMode = TestConstructor.AutowireMode.ALL)
@DirtiesContext
class NotificationWorkerApplicationTests {

	private final HttpClient http = HttpClient.newHttpClient();

	private final Environment environment;

	private final RoomLog log;

	NotificationWorkerApplicationTests(Environment environment, RoomLog log) {
		this.environment = environment;
		this.log = log;
	}

	@Test
	void reportsItsLagAndIsNotReadyWithoutTheLog() throws Exception {
		this.log.append(0, new byte[] { 99 }).join();
		await().until(() -> get("local.server.port", "/readyz").body().contains("\"behind\":\"0 records\""));
		assertThat(get("local.server.port", "/readyz").statusCode()).isEqualTo(200);
		assertThat(get("local.management.port", "/actuator/prometheus").body())
			.contains("chat_reader_lag{reader=\"notification\"} 0.0");
		this.log.close();
		assertThat(get("local.server.port", "/readyz").statusCode()).isEqualTo(503);
		assertThat(get("local.server.port", "/livez").statusCode()).isEqualTo(200);
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
