package io.parley.server.testing;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
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

	/** The newest refresh token of the sign-in, for all who share it. */
	private final AtomicReference<String> refreshToken;

	public ChatApi(ChatServer server, String user, String token) {
		this(server, user, token, new AtomicReference<>(""));
	}

	private ChatApi(ChatServer server, String user, String token, AtomicReference<String> refreshToken) {
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

	/** Returns the name of the user. */
	public String name() {
		return this.user;
	}

	public String token() {
		return this.token;
	}

	/** Returns the newest refresh token of the sign-in. */
	public String refreshToken() {
		return this.refreshToken.get();
	}

	public void register(String name) {
		tryRegister(name).expect(201);
	}

	void registerIfAbsent(String name) {
		assertThat(tryRegister(name).status()).isIn(201, 409);
	}

	private Answer tryRegister(String name) {
		return postPassword("/api/auth/register", Map.of("username", name, "password", PASSWORD));
	}

	/** Repeats the request while the server has too many passwords to hash. */
	private Answer postPassword(String path, Object body) {
		return Awaitility.await()
			.atMost(Duration.ofMinutes(2))
			.pollDelay(Duration.ZERO)
			.until(() -> post(path, body), (answer) -> !answer.code().equals("server-busy"));
	}

	/** Signs in and returns the API of that sign-in. */
	public ChatApi login(String name) {
		return login(name, PASSWORD);
	}

	public ChatApi login(String name, String password) {
		return granted(name,
				postPassword("/api/auth/login", Map.of("username", name, "password", password)).expect(200).body());
	}

	/**
	 * Returns the API of a user with these tokens, as a copy of them is used elsewhere.
	 */
	public ChatApi granted(String name, JsonNode grant) {
		return new ChatApi(this.server, name, grant.path("accessToken").asString(),
				new AtomicReference<>(grant.path("refreshToken").asString()));
	}

	/** Returns the id of the sign-in. */
	public String signIn() {
		return JSON.readTree(Base64.getUrlDecoder().decode(this.token.split("\\.")[1])).path("sid").asString();
	}

	/** Refreshes with any refresh token. */
	public Answer refreshWith(String spent) {
		return post("/api/auth/refresh", Map.of("refreshToken", spent));
	}

	/**
	 * Returns the API of the same sign-in with a new access token. The refresh token is
	 * spent: everyone with this sign-in uses its successor.
	 */
	public ChatApi refresh() {
		synchronized (this.refreshToken) {
			JsonNode grant = post("/api/auth/refresh", Map.of("refreshToken", refreshToken())).expect(200).body();
			this.refreshToken.set(grant.path("refreshToken").asString());
			return new ChatApi(this.server, this.user, grant.path("accessToken").asString(), this.refreshToken);
		}
	}

	public String openGroup(String name, String... members) {
		return open(name, "group", members);
	}

	/** Opens a channel, which every user may join. */
	public String openChannel(String name, String... members) {
		return open(name, "channel", members);
	}

	private String open(String name, String kind, String... members) {
		return post("/api/rooms", Map.of("name", name, "kind", kind, "members", List.of(members))).expect(201)
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

	public Answer changeRole(String room, String member, String role) {
		return put("/api/rooms/" + room + "/members/" + member, Map.of("role", role));
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

	public Answer edit(String room, long position, String clientId, String text) {
		return patch("/api/rooms/" + room + "/messages/" + position, Map.of("clientId", clientId, "text", text));
	}

	/** Deletes a message, without a body. */
	public Answer deleteMessage(String room, long position) {
		return delete("/api/rooms/" + room + "/messages/" + position);
	}

	/** Gives a reaction to a message, or takes it back. */
	public Answer react(String room, long position, String key, boolean on) {
		return exchange(on ? "PUT" : "DELETE", "/api/rooms/" + room + "/messages/" + position + "/reactions/"
				+ URLEncoder.encode(key, StandardCharsets.UTF_8), "");
	}

	/** Pins a message, or ends its pin, without a body. */
	public Answer pin(String room, long position, boolean on) {
		return exchange(on ? "PUT" : "DELETE", "/api/rooms/" + room + "/messages/" + position + "/pin", "");
	}

	/** Returns the pinned messages of a room. */
	public List<JsonNode> pins(String room) {
		JsonNode page = get("/api/rooms/" + room + "/pins").expect(200).body();
		assertThat(page.path("asOf").isIntegralNumber()).isTrue();
		List<JsonNode> messages = new ArrayList<>();
		page.path("messages").forEach(messages::add);
		return messages;
	}

	/** Returns the messages of a room in their current state, with a further query. */
	public List<JsonNode> view(String room, String query) {
		JsonNode page = get("/api/rooms/" + room + "/messages?view=messages" + query).expect(200).body();
		assertThat(page.path("asOf").isIntegralNumber()).isTrue();
		List<JsonNode> messages = new ArrayList<>();
		page.path("messages").forEach(messages::add);
		return messages;
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

	public Answer patch(String path, Object body) {
		return exchange("PATCH", path, JSON.writeValueAsString(body));
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
			Answer answer = new Answer(response.statusCode(), response,
					isJson(response) ? JSON.readTree(response.body()) : JSON.missingNode());
			Contract.get().answered(method, path, body, answer);
			return answer;
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
