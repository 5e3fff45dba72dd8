package io.parley.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The REST API for tests. Every call must succeed; a page of the history is requested
 * again while the server is busy.
 */
public final class ChatApi {

	public static final JsonMapper JSON = new JsonMapper();

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final int PAGE = 200;

	private static final int BUSY = 503;

	private final URI url;

	public ChatApi(URI url) {
		this.url = url;
	}

	public void register(String user) {
		call("POST", "/api/auth/register", null, Map.of("username", user, "password", password(user)));
	}

	/** Signs in and returns the access token. */
	public String login(String user) {
		return login(user, password(user));
	}

	public String login(String user, String password) {
		return signIn(user, password).path("accessToken").stringValue();
	}

	/** Signs in and returns the refresh token. */
	String refreshToken(String user, String password) {
		return signIn(user, password).path("refreshToken").stringValue();
	}

	private JsonNode signIn(String user, String password) {
		return call("POST", "/api/auth/login", null, Map.of("username", user, "password", password));
	}

	/** Tries to sign in and returns the status of the answer. */
	int tryLogin(String user, String password) {
		return exchange("POST", "/api/auth/login", null, Map.of("username", user, "password", password)).statusCode();
	}

	/** Uses a refresh token and returns the status of the answer. */
	int refresh(String refreshToken) {
		return exchange("POST", "/api/auth/refresh", null, Map.of("refreshToken", refreshToken)).statusCode();
	}

	/** Makes a link with which the user sets a password, and returns its path. */
	public String resetLink(String operator, String user) {
		return call("POST", "/api/operator/users/" + user + "/reset", operator, Map.of()).path("path").stringValue();
	}

	/** Makes a link with which one person registers, and returns its path. */
	public String inviteLink(String operator) {
		return call("POST", "/api/operator/invites", operator, Map.of()).path("path").stringValue();
	}

	/** Creates a group and returns its id. */
	public String createRoom(String token, String name, List<String> members) {
		return call("POST", "/api/rooms", token, Map.of("name", name, "kind", "group", "members", members)).path("id")
			.stringValue();
	}

	/** Creates a private channel and returns its id. */
	public String createPrivateChannel(String token, String name, List<String> members) {
		return call("POST", "/api/rooms", token,
				Map.of("name", name, "kind", "channel", "members", members, "private", true))
			.path("id")
			.stringValue();
	}

	/** Opens the direct room with that user. */
	public void openDirect(String token, String peer) {
		call("POST", "/api/rooms", token, Map.of("kind", "direct", "members", List.of(peer)));
	}

	/** Returns whether the user is in a room of that name. */
	public boolean hasRoom(String token, String name) {
		return rooms(token).valueStream().anyMatch((room) -> room.path("name").asString().equals(name));
	}

	public void block(String token, String user) {
		call("PUT", "/api/blocks/" + user, token, null);
	}

	/** Makes a link to a room, and returns its token. */
	public String roomInvite(String token, String room) {
		return call("POST", "/api/rooms/" + room + "/invites", token, Map.of()).path("token").stringValue();
	}

	public void changeRole(String token, String room, String user, String role) {
		call("PUT", "/api/rooms/" + room + "/members/" + user, token, Map.of("role", role));
	}

	public void mute(String token, String room, String user, Instant until) {
		call("PUT", "/api/rooms/" + room + "/mutes/" + user, token, Map.of("until", until.toString()));
	}

	public void unmute(String token, String room, String user) {
		call("DELETE", "/api/rooms/" + room + "/mutes/" + user, token, null);
	}

	/** Makes an account active, suspended or disabled. */
	public void setState(String operator, String user, String state) {
		call("PATCH", "/api/operator/users/" + user, operator, Map.of("state", state));
	}

	public void join(String token, String room, String user) {
		call("POST", "/api/rooms/" + room + "/members", token, Map.of("username", user));
	}

	JsonNode rooms(String token) {
		return call("GET", "/api/rooms", token, null);
	}

	JsonNode room(String token, String room) {
		return call("GET", "/api/rooms/" + room, token, null);
	}

	/** Posts a message and returns its id. */
	public String post(String token, String room, String clientId, String text) {
		return post(token, room, Map.of("clientId", clientId, "text", text));
	}

	/**
	 * Posts a message and returns its id. Repeats it while the database of the server is
	 * too slow.
	 */
	public String post(String token, String room, Map<String, ?> message) {
		String path = "/api/rooms/" + room + "/messages";
		HttpResponse<byte[]> response = Awaitility.await(path)
			.atMost(Duration.ofMinutes(1))
			.until(() -> exchange("POST", path, token, message),
					(answer) -> !new String(answer.body(), StandardCharsets.UTF_8).contains("store-unavailable"));
		return success("POST " + path, response).path("id").stringValue();
	}

	public void schedule(String token, String room, String clientId, Instant sendAt) {
		call("POST", "/api/rooms/" + room + "/scheduled", token,
				Map.of("clientId", clientId, "text", clientId, "sendAt", sendAt.toString()));
	}

	/** Returns the messages that are sent later. */
	JsonNode scheduled(String token) {
		return call("GET", "/api/me/scheduled", token, null).path("scheduled");
	}

	/** Posts a reply in the thread of a message, and returns its position. */
	public long reply(String token, String room, long root, String clientId) {
		return reply(token, room, root, clientId, "reply");
	}

	/** Posts a reply in the thread of a message, and returns its position. */
	public long reply(String token, String room, long root, String clientId, String text) {
		return call("POST", thread(room, root) + "/messages", token, Map.of("clientId", clientId, "text", text))
			.path("position")
			.longValue();
	}

	/** Edits the message at that position. */
	public void edit(String token, String room, long position, String clientId, String text) {
		call("PATCH", "/api/rooms/" + room + "/messages/" + position, token,
				Map.of("clientId", clientId, "text", text));
	}

	public void deleteMessage(String token, String room, long position) {
		call("DELETE", "/api/rooms/" + room + "/messages/" + position, token, null);
	}

	void followThread(String token, String room, long root) {
		call("PUT", thread(room, root) + "/follow", token, null);
	}

	void readThread(String token, String room, long root, long position) {
		call("PUT", thread(room, root) + "/read", token, Map.of("position", position));
	}

	/** Returns the newest replies of a thread, and what is unread. */
	JsonNode thread(String token, String room, long root, int limit) {
		return call("GET", thread(room, root) + "/messages?limit=" + limit, token, null);
	}

	/** Returns the threads that the user follows. */
	JsonNode threads(String token) {
		return call("GET", "/api/me/threads", token, null).path("threads");
	}

	private static String thread(String room, long root) {
		return "/api/rooms/" + room + "/threads/" + root;
	}

	/** Gives a reaction to the message at that position. */
	public void react(String token, String room, long position, String key) {
		call("PUT", "/api/rooms/" + room + "/messages/" + position + "/reactions/"
				+ URLEncoder.encode(key, StandardCharsets.UTF_8), token, null);
	}

	/** Pins the message at that position. */
	public void pin(String token, String room, long position) {
		call("PUT", "/api/rooms/" + room + "/messages/" + position + "/pin", token, null);
	}

	/** Reports the message at that position. */
	public void report(String token, String room, long position, String reason) {
		call("POST", "/api/rooms/" + room + "/messages/" + position + "/report", token, Map.of("reason", reason));
	}

	/** Returns the newest messages of a room in their current state. */
	public List<JsonNode> view(String token, String room) {
		return call("GET", "/api/rooms/" + room + "/messages?view=messages", token, null).path("messages")
			.valueStream()
			.toList();
	}

	void registerDevice(String token, String device, String platform) {
		call("POST", "/api/devices", token, Map.of("token", device, "platform", platform));
	}

	/** Tries to register a device and returns the status of the answer. */
	int tryRegisterDevice(String token, String device, String platform) {
		return exchange("POST", "/api/devices", token, Map.of("token", device, "platform", platform)).statusCode();
	}

	JsonNode devices(String token) {
		return call("GET", "/api/devices", token, null);
	}

	/** Returns whether a push about a room is pending for a user. */
	boolean isPushPending(String operator, String user, String room) {
		return pushLog(operator, user, room).path("pending").isObject();
	}

	/** Returns the outcome of the latest push decision about a user and a room. */
	String pushOutcome(String operator, String user, String room) {
		return pushLog(operator, user, room).path("entries").path(0).path("outcome").asString();
	}

	private JsonNode pushLog(String operator, String user, String room) {
		return call("GET", "/api/push/log?user=" + user + "&room=" + room, operator, null);
	}

	/** Reads the whole history of a room, page by page. */
	public List<JsonNode> history(String token, String room) {
		List<JsonNode> events = new ArrayList<>();
		JsonNode page;
		do {
			long after = events.isEmpty() ? 0 : events.getLast().path("position").longValue();
			page = page(token, room, after);
			page.forEach(events::add);
		}
		while (!page.isEmpty());
		return events;
	}

	/** Repeats a request that the server is too busy to answer. */
	private JsonNode page(String token, String room, long after) {
		String path = "/api/rooms/" + room + "/messages?after=" + after + "&limit=" + PAGE;
		HttpResponse<byte[]> response = exchange("GET", path, token, null);
		if (response.statusCode() == BUSY) {
			response = Awaitility.await(path)
				.atMost(Duration.ofMinutes(1))
				.until(() -> exchange("GET", path, token, null), (later) -> later.statusCode() != BUSY);
		}
		return success("GET " + path, response).path("events");
	}

	private JsonNode call(String method, String path, @Nullable String token, @Nullable Object body) {
		return success(method + " " + path, exchange(method, path, token, body));
	}

	private static JsonNode success(String request, HttpResponse<byte[]> response) {
		assertThat(response.statusCode()).as("%s: %s", request, new String(response.body())).isBetween(200, 299);
		return (response.body().length > 0) ? JSON.readTree(response.body()) : JSON.nullNode();
	}

	private HttpResponse<byte[]> exchange(String method, String path, @Nullable String token, @Nullable Object body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.url.resolve(path))
			.timeout(Duration.ofSeconds(60))
			.header("Content-Type", "application/json")
			.method(method, (body != null) ? BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))
					: BodyPublishers.noBody());
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		try {
			return HTTP.send(request.build(), BodyHandlers.ofByteArray());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(method + " " + path, ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns the password of users that {@link #register} makes. */
	public static String password(String user) {
		return "the secret of user " + user;
	}

}
