package io.parley.nginx;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.Network;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.junit.jupiter.EnabledIfDockerAvailable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What reaches the chat-server, and what is said when there is none. */
@EnabledIfDockerAvailable
class ForwardingIntegrationTests {

	private static final Duration LONG = Duration.ofSeconds(60);

	private final Network network = Network.newNetwork();

	private final HttpClient http = HttpClient.newHttpClient();

	private final GenericContainer<?> echo = Containers.echo(this.network);

	private GenericContainer<?> nginx = Containers.nginx(this.network, Map.of());

	@AfterEach
	void stop() {
		this.http.shutdownNow();
		this.nginx.stop();
		this.echo.stop();
		this.network.close();
	}

	@Test
	void stripsTheOfferOfCompression() throws Exception {
		this.echo.start();
		this.nginx.start();
		assertThat(get("/ws", "Sec-WebSocket-Extensions", "permessage-deflate").body()).contains("extensions []");
	}

	@Test
	void believesNobodyWhoSaysWhereHeComesFrom() throws Exception {
		this.echo.start();
		this.nginx.start();
		assertThat(get("/", "X-Forwarded-For", "198.51.100.7").body()).doesNotContain("198.51.100.7")
			.containsPattern("from \\d+\\.\\d+\\.\\d+\\.\\d+,");
	}

	@Test
	void believesTheProxiesThatItWasTold() throws Exception {
		this.nginx = Containers.nginx(this.network,
				Map.of("CHAT_TRUSTED_PROXIES", "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16"));
		this.echo.start();
		this.nginx.start();
		assertThat(get("/", "X-Forwarded-For", "198.51.100.7").body()).startsWith("from 198.51.100.7,");
	}

	@Test
	void saysWhenToComeAgainWhileNoServerAnswersAndFindsTheOneThatComes() throws Exception {
		this.nginx.waitingFor(Wait.forHttp("/").forStatusCode(503)).start();
		for (String path : new String[] { "/api/rooms", "/ws" }) {
			HttpResponse<String> response = get(path, "Accept", "*/*");
			assertThat(response.statusCode()).isEqualTo(503);
			assertThat(response.headers().firstValue("Retry-After")).contains("10");
			assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
			assertThat(response.body()).contains("No chat server answers");
		}
		this.echo.start();
		await().atMost(LONG).untilAsserted(() -> assertThat(get("/ws", "Accept", "*/*").statusCode()).isEqualTo(200));
	}

	private HttpResponse<String> get(String path, String header, String value) throws Exception {
		URI uri = URI.create("http://" + Containers.address(this.nginx) + path);
		return this.http.send(HttpRequest.newBuilder(uri).header(header, value).build(), BodyHandlers.ofString());
	}

}
