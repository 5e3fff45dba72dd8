package io.parley.server.account;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Guesses are limited, without holding up anybody else. */
@ProtocolTest(properties = { "chat.security.registration=invite", "chat.security.first-operator.username=olga",
		"chat.security.first-operator.password=" + ChatApi.PASSWORD })
class LinkLimitTests {

	private static final int FAILURES_OF_AN_ADDRESS = 20;

	private static final int FAILURES_OF_AN_ACCOUNT = 5;

	private static final String NEW = "a new secret of the tests";

	private final ChatServer server;

	LinkLimitTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void guessesOfOneAddressAreLimited() {
		Map<String, String> reset = Map.of("token", "AAAAAAAAAAAAAAAAAAAAAA", "password", NEW);
		Map<String, String> register = Map.of("username", "guesser", "password", NEW, "invite",
				"AAAAAAAAAAAAAAAAAAAAAA");
		for (int i = 0; i < FAILURES_OF_AN_ADDRESS / 2; i++) {
			assertThat(send("127.0.6.1", "POST", "/api/auth/reset", "", reset)).isEqualTo(400);
			assertThat(send("127.0.6.1", "POST", "/api/auth/register", "", register)).isEqualTo(400);
		}
		assertThat(send("127.0.6.1", "POST", "/api/auth/reset", "", reset)).isEqualTo(429);
		assertThat(send("127.0.6.1", "POST", "/api/auth/register", "", register)).isEqualTo(429);
		String token = olga().post("/api/operator/users/olga/reset", Map.of())
			.expect(201)
			.body()
			.path("token")
			.asString();
		assertThat(
				send("127.0.6.2", "POST", "/api/auth/reset", "", Map.of("token", token, "password", ChatApi.PASSWORD)))
			.isEqualTo(204);
	}

	@Test
	void guessesOfTheCurrentPasswordAreLimited() {
		String token = olga().token();
		List<Integer> statuses = IntStream.range(0, FAILURES_OF_AN_ACCOUNT + 2)
			.mapToObj((i) -> send("127.0.6.3", "PUT", "/api/me/password", token,
					Map.of("current", "a wrong password " + i, "password", NEW)))
			.toList();
		assertThat(statuses).containsExactly(403, 403, 403, 403, 403, 429, 429);
		assertThat(send("127.0.6.3", "PUT", "/api/me/password", token,
				Map.of("current", ChatApi.PASSWORD, "password", NEW)))
			.isEqualTo(429);
		this.server.anonymous().login("olga");
	}

	private ChatApi olga() {
		return this.server.anonymous().login("olga");
	}

	private int send(String address, String method, String path, String token, Map<String, String> body) {
		try (HttpClient client = HttpClient.newBuilder().localAddress(InetAddress.getByName(address)).build()) {
			HttpRequest.Builder request = HttpRequest.newBuilder(this.server.http(path))
				.header("Content-Type", "application/json")
				.method(method, HttpRequest.BodyPublishers.ofString(ChatApi.JSON.writeValueAsString(body)));
			if (!token.isEmpty()) {
				request.header("Authorization", "Bearer " + token);
			}
			return client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

}
