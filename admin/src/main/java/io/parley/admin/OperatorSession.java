package io.parley.admin;

import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A user who is signed in at a server until the session is closed. */
record OperatorSession(HttpServer server, String user, String accessToken) implements AutoCloseable {

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
			case 200, 201, 204 -> response.body();
			case 403 -> throw new AdminException(
					"%s is not an operator, or is suspended: set CHAT_USER to an operator.".formatted(this.user));
			default -> throw new AdminException("%s answered with status %d.%s".formatted(this.server.url(),
					response.statusCode(), detail(response.body())));
		};
	}

	/**
	 * Signs out. Otherwise the sign-ins of many commands would end those of the user's
	 * devices.
	 */
	@Override
	public void close() {
		try {
			this.server.send(this.server.request("/api/auth/logout")
				.header("Authorization", "Bearer " + this.accessToken)
				.POST(BodyPublishers.noBody()), TIMEOUT);
		}
		catch (AdminException ex) {
			// The command has its answer; the sign-in ends when it is not used.
		}
	}

	/**
	 * Returns the sentence of a problem detail, after a space; empty if there is none.
	 */
	private static String detail(String body) {
		String detail = field(body, "detail");
		return detail.isEmpty() ? "" : " " + detail;
	}

	/**
	 * Returns an answer as JSON.
	 * @throws AdminException if it is not JSON
	 */
	static JsonNode json(String answer) {
		try {
			return JSON.readTree(answer);
		}
		catch (JacksonException ex) {
			throw new AdminException("the answer is not JSON: check that CHAT_URL is a chat-server.");
		}
	}

	/** Returns the body of a request. */
	static String text(Map<String, ?> body) {
		return JSON.writeValueAsString(body);
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
