package io.parley.loadtest.user;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.loadtest.cli.Http;
import io.parley.loadtest.cli.LoadTestException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of the server's REST API.
 */
public final class RestApi implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final int PAGE = 200;

	private static final Pattern STATUS = Pattern.compile("was answered with (\\d+)");

	private static final Pattern CODE = Pattern.compile("\"code\":\"([a-z-]+)\"");

	private final Http http = new Http();

	private final URI url;

	/**
	 * The tokens of a user.
	 *
	 * @param expiresIn the lifetime of the access token in seconds
	 */
	public record Tokens(String accessToken, String refreshToken, long expiresIn) {

		private static Tokens of(JsonNode answer) {
			return new Tokens(answer.path("accessToken").asString(), answer.path("refreshToken").asString(),
					answer.path("expiresIn").asLong());
		}

		/**
		 * Omits the tokens.
		 */
		@Override
		public String toString() {
			return "Tokens[expiresIn=" + this.expiresIn + "]";
		}

	}

	public RestApi(URI url) {
		this.url = url;
	}

	/**
	 * Registers a user and returns its tokens.
	 */
	public Tokens signUp(String username, String password) {
		JsonNode registered = post("/api/auth/register", null, Map.of("username", username, "password", password));
		return registered.has("accessToken") ? Tokens.of(registered) : logIn(username, password);
	}

	public Tokens logIn(String username, String password) {
		return Tokens.of(post("/api/auth/login", null, Map.of("username", username, "password", password)));
	}

	public Tokens refresh(Tokens tokens) {
		return Tokens.of(post("/api/auth/refresh", null, Map.of("refreshToken", tokens.refreshToken())));
	}

	/**
	 * Creates a channel, which users may join by themselves, and returns its id.
	 */
	public String createRoom(String token, String name, int capacity) {
		return post("/api/rooms", token, Map.of("name", name, "kind", "channel", "capacity", capacity)).path("id")
			.asString();
	}

	/**
	 * Creates a room of any kind and returns its id.
	 * @param members invited besides the creator
	 */
	public String createRoom(String token, @Nullable String name, String kind, List<String> members) {
		Map<String, Object> room = (name != null) ? Map.of("name", name, "kind", kind, "members", members)
				: Map.of("kind", kind, "members", members);
		return post("/api/rooms", token, room).path("id").asString();
	}

	/**
	 * Returns the rooms of a user.
	 */
	public JsonNode rooms(String token) {
		return get("/api/rooms?presence=true", token);
	}

	/**
	 * Returns a room with its members.
	 */
	public JsonNode room(String token, String room) {
		return get("/api/rooms/" + room, token);
	}

	public void leave(String token, String room, String username) {
		String path = "/api/rooms/" + room + "/members/" + username;
		answer("DELETE " + path, request(path, token).DELETE());
	}

	public void join(String token, String room, String username) {
		post("/api/rooms/" + room + "/members", token, Map.of("username", username));
	}

	void registerDevice(String token, String device) {
		post("/api/devices", token, Map.of("token", device, "platform", "android"));
	}

	/**
	 * Posts a message and returns its position.
	 */
	public long postMessage(String token, String room, String clientId, String text) {
		return post("/api/rooms/" + room + "/messages", token, Map.of("clientId", clientId, "text", text))
			.path("position")
			.asLong();
	}

	/**
	 * Returns messages in their current state after a position, in ascending order.
	 * @throws LoadTestException when the page cannot be read
	 */
	public JsonNode view(String token, String room, long after, int limit) {
		return get("/api/rooms/%s/messages?view=messages&limit=%d&after=%d".formatted(room, limit, after), token)
			.path("messages");
	}

	/**
	 * Returns the whole history of a room, read page by page, in ascending order.
	 * @throws LoadTestException when a page cannot be read
	 */
	public List<JsonNode> history(String token, String room) {
		List<JsonNode> events = new ArrayList<>();
		for (JsonNode page = page(token, room, 0, PAGE); !page.isEmpty();) {
			page.forEach(events::add);
			page = page(token, room, events.getLast().path("position").asLong(), PAGE);
		}
		return events;
	}

	/**
	 * Returns one page of the events after a position, in ascending order; empty at the
	 * end.
	 * @throws LoadTestException when the page cannot be read
	 */
	public JsonNode page(String token, String room, long after, int limit) {
		String path = "/api/rooms/%s/messages?limit=%d&after=%d".formatted(room, limit, after);
		return answer("GET " + path, request(path, token)).path("events");
	}

	/**
	 * Returns the newest events of a room, in ascending order, and its head.
	 */
	public JsonNode newest(String token, String room, int limit) {
		return get("/api/rooms/%s/messages?limit=%d".formatted(room, limit), token);
	}

	private JsonNode get(String path, String token) {
		return answer("GET " + path, request(path, token));
	}

	private JsonNode post(String path, @Nullable String token, Map<String, ?> body) {
		return answer("POST " + path, request(path, token).header("Content-Type", "application/json")
			.POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body))));
	}

	private HttpRequest.Builder request(String path, @Nullable String token) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.url.resolve(path));
		return (token != null) ? request.header("Authorization", "Bearer " + token) : request;
	}

	/**
	 * Returns the status and the error code of a failed request, by which failures are
	 * counted, such as {@code 429 rate-limited}; {@code no answer} without a response.
	 */
	public static String reason(LoadTestException failure) {
		String message = String.valueOf(failure.getMessage());
		Matcher status = STATUS.matcher(message);
		Matcher code = CODE.matcher(message);
		if (!status.find()) {
			return "no answer";
		}
		return code.find() ? status.group(1) + " " + code.group(1) : status.group(1);
	}

	private JsonNode answer(String what, HttpRequest.Builder request) {
		try {
			HttpResponse<String> response = this.http.send(request, TIMEOUT);
			String body = response.body();
			if (response.statusCode() / 100 != 2) {
				throw new LoadTestException("%s was answered with %d: %s".formatted(what, response.statusCode(),
						body.substring(0, Math.min(300, body.length()))));
			}
			return body.isBlank() ? JSON.createObjectNode() : JSON.readTree(body);
		}
		catch (IOException ex) {
			throw new LoadTestException(
					"No answer from %s (%s): is the server running?".formatted(request.build().uri(), ex));
		}
	}

	@Override
	public void close() {
		this.http.close();
	}

}
