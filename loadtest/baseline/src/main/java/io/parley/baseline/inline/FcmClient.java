package io.parley.baseline.inline;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;

import io.parley.baseline.ChatMessage;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/**
 * Sends pushes over one HTTP/2 connection. Each call waits for the answer to its push.
 */
@Component
@Profile("inline")
class FcmClient {

	private final HttpClient client;

	private final JsonMapper json;

	private final URI messages;

	private final String accessToken;

	FcmClient(@Value("${inline.fcm.endpoint}") URI endpoint, @Value("${inline.fcm.access-token}") String accessToken,
			SslBundles trusted, JsonMapper json) {
		this.client = HttpClient.newBuilder().sslContext(trusted.getBundle("fcm").createSslContext()).build();
		this.messages = endpoint.resolve("/v1/projects/parley-test/messages:send");
		this.accessToken = accessToken;
		this.json = json;
	}

	/**
	 * Sends one push and waits until FCM has accepted it.
	 * @throws IllegalStateException when FCM does not accept it or does not answer
	 */
	void send(String token, String room, ChatMessage message) {
		Map<String, ?> push = Map.of("message",
				Map.of("token", token, "notification", Map.of("title", room, "body", message.text()), "data",
						Map.of("room", room, "position", message.clientId())));
		HttpRequest request = HttpRequest.newBuilder(this.messages)
			.timeout(Duration.ofSeconds(15))
			.header("Authorization", "Bearer " + this.accessToken)
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofByteArray(this.json.writeValueAsBytes(push)))
			.build();
		try {
			HttpResponse<String> response = this.client.send(request, BodyHandlers.ofString());
			if (response.statusCode() != 200) {
				throw new IllegalStateException("FCM answers " + response.statusCode());
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException("FCM does not answer", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException(ex);
		}
	}

}
