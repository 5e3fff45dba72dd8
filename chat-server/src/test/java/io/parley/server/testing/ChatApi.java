package io.parley.server.testing;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** The REST API as one user calls it. */
public final class ChatApi {

	public static final JsonMapper JSON = new JsonMapper();

	public static final String PASSWORD = "a secret of the tests";

	static {
		// Shorter than the server's timeout, so that no request uses a connection that
		// was just closed.
		System.setProperty("jdk.httpclient.keepalive.timeout", "5");
	}

	private static final HttpClient CLIENT = HttpClient.newHttpClient();

	private final ChatServer server;

	private final String user;

	private final String token;

	private final String refreshToken;

	public ChatApi(ChatServer server, String user, String token) {
		this(server, user, token, "");
	}

	private ChatApi(ChatServer server, String user, String token, String refreshToken) {
		this.server = server;
		this.user = user;
		this.token = token;
		this.refreshToken = refreshToken;
	}

	/** A response. The body is a missing node if it is not JSON. */
	public record Answer(int status, HttpResponse<String> response, JsonNode body) {

		public Answer expect(int expected) {
			assertThat(this.status).as("%s", this.response.body()).isEqualTo(expected);
			return this;
		}

		public String code() {
			return this.body.path("code").asString("");
		}

	}

	public String token() {
		return this.token;
	}

	public String refreshToken() {
		return this.refreshToken;
	}

	public void register(String name) {
		post("/api/auth/register", Map.of("username", name, "password", PASSWORD)).expect(201);
	}

	ChatApi login(String name) {
		JsonNode grant = post("/api/auth/login", Map.of("username", name, "password", PASSWORD)).expect(200).body();
		return granted(name, grant);
	}

	public ChatApi refresh() {
		return granted(this.user,
				post("/api/auth/refresh", Map.of("refreshToken", this.refreshToken)).expect(200).body());
	}

	private ChatApi granted(String name, JsonNode grant) {
		return new ChatApi(this.server, name, grant.path("accessToken").asString(),
				grant.path("refreshToken").asString());
	}

	public String openGroup(String name, String... members) {
		return post("/api/rooms", Map.of("name", name, "kind", "group", "members", List.of(members))).expect(201)
			.body()
			.path("id")
			.asString();
	}

	public String openDirect(String peer) {
		return post("/api/rooms", Map.of("kind", "direct", "members", List.of(peer))).expect(201)
			.body()
			.path("id")
			.asString();
	}

	public Answer join(String room, String member) {
		return post("/api/rooms/" + room + "/members", Map.of("username", member));
	}

	public Answer leave(String room, String member) {
		return delete("/api/rooms/" + room + "/members/" + member);
	}

	/** Posts a message and returns its position. */
	public long say(String room, String clientId, String text) {
		return post("/api/rooms/" + room + "/messages", Map.of("clientId", clientId, "text", text)).expect(202)
			.body()
			.path("position")
			.asLong();
	}

	/** Returns a page of the history, for a query such as {@code "?limit=10"}. */
	public List<JsonNode> history(String room, String query) {
		JsonNode page = get("/api/rooms/" + room + "/messages" + query).expect(200).body();
		List<JsonNode> events = new ArrayList<>();
		page.path("events").forEach(events::add);
		return events;
	}

	/** Returns the room from this user's list of rooms. */
	public JsonNode listed(String room) {
		for (JsonNode one : get("/api/rooms").expect(200).body()) {
			if (one.path("id").asString().equals(room)) {
				return one;
			}
		}
		throw new AssertionError(this.user + " has no room " + room);
	}

	public Answer get(String path) {
		return exchange("GET", path, "");
	}

	public Answer post(String path, Object body) {
		return exchange("POST", path, JSON.writeValueAsString(body));
	}

	public Answer put(String path, Object body) {
		return exchange("PUT", path, JSON.writeValueAsString(body));
	}

	public Answer delete(String path) {
		return exchange("DELETE", path, "");
	}

	public Answer exchange(String method, String path, String body) {
		return exchange(method, path, StompConnection.bytes(body), "application/json");
	}

	public Answer exchange(String method, String path, byte[] body, String contentType) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.server.http(path))
			.timeout(Duration.ofSeconds(60))
			.header("Content-Type", contentType)
			.method(method, HttpRequest.BodyPublishers.ofByteArray(body));
		if (!this.token.isEmpty()) {
			request.header("Authorization", "Bearer " + this.token);
		}
		try {
			HttpResponse<String> response = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response,
					isJson(response) ? JSON.readTree(response.body()) : JSON.missingNode());
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	private static boolean isJson(HttpResponse<String> response) {
		return response.headers().firstValue("Content-Type").orElse("").contains("json");
	}

}
