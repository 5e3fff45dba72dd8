package io.parley.admin;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** A user who is signed in at a server. */
record OperatorSession(HttpServer server, String user, String accessToken) {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final JsonMapper JSON = JsonMapper.shared();

	/**
	 * Signs in.
	 * @throws AdminException if the server does not answer or rejects the password
	 */
	static OperatorSession signIn(HttpServer server, String user, String password) {
		HttpResponse<String> response = server.send(server.request("/api/auth/login")
			.POST(BodyPublishers.ofString(JSON.writeValueAsString(Map.of("username", user, "password", password)))),
				TIMEOUT);
		return switch (response.statusCode()) {
			case 200 -> new OperatorSession(server, user, field(response.body(), "accessToken"));
			case 400, 401 -> throw new AdminException(
					"%s rejects the password of %s: set CHAT_USER and CHAT_PASSWORD.".formatted(server.url(), user));
			default -> throw new AdminException(
					"%s answered the sign-in with status %d: check that CHAT_URL is a chat-server.%s"
						.formatted(server.url(), response.statusCode(), detail(response.body())));
		};
	}

	/**
	 * Sends a request and returns the text of the answer.
	 * @throws AdminException if the server refuses or does not answer within 30 seconds
	 */
	String send(HttpRequest.Builder request) {
		return send(request, TIMEOUT);
	}

	/**
	 * Sends a request and returns the text of the answer.
	 * @throws AdminException if the server refuses or does not answer in time
	 */
	String send(HttpRequest.Builder request, Duration timeout) {
		HttpResponse<String> response = this.server.send(request.header("Authorization", "Bearer " + this.accessToken),
				timeout);
		return switch (response.statusCode()) {
			case 200 -> response.body();
			case 403 -> throw new AdminException(
					"%s is not an operator: set CHAT_USER to one, or add %s to chat.security.operators of the server."
						.formatted(this.user, this.user));
			default -> throw new AdminException("%s answered with status %d.%s".formatted(this.server.url(),
					response.statusCode(), detail(response.body())));
		};
	}

	/**
	 * Returns the sentence of a problem detail, after a space; empty if there is none.
	 */
	private static String detail(String body) {
		String detail = field(body, "detail");
		return detail.isEmpty() ? "" : " " + detail;
	}

	/** Returns a text field of a JSON object; empty if there is none. */
	static String field(String json, String name) {
		try {
			return JSON.readTree(json).path(name).asString("");
		}
		catch (JacksonException ex) {
			return "";
		}
	}

}
