package io.parley.loadtest.user;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.loadtest.cli.RefusedException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A client of the server's REST API.
 */
public final class RestApi implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.shared();

	private final HttpClient client = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(10))
		.build();

	private final URI url;

	public RestApi(URI url) {
		this.url = url;
	}

	/**
	 * Registers a user and returns its tokens.
	 */
	JsonNode signUp(String username, String password) {
		Map<String, String> credentials = Map.of("username", username, "password", password);
		JsonNode registered = post("/api/auth/register", null, credentials);
		return registered.has("accessToken") ? registered : post("/api/auth/login", null, credentials);
	}

	/**
	 * Creates a group room and returns its id.
	 */
	public String createRoom(String token, String name, int capacity) {
		return post("/api/rooms", token, Map.of("name", name, "kind", "group", "capacity", capacity)).path("id")
			.asString();
	}

	public void join(String token, String room, String username) {
		post("/api/rooms/" + room + "/members", token, Map.of("username", username));
	}

	void registerDevice(String token, String device) {
		post("/api/devices", token, Map.of("token", device, "platform", "android"));
	}

	public void postMessage(String token, String room, String clientId, String text) {
		post("/api/rooms/" + room + "/messages", token, Map.of("clientId", clientId, "text", text));
	}

	/**
	 * Returns the whole history of a room, read page by page, in ascending order.
	 * @throws RefusedException when a page cannot be read
	 */
	public List<JsonNode> history(String token, String room) {
		List<JsonNode> events = new ArrayList<>();
		long after = 0;
		for (boolean more = true; more;) {
			JsonNode page = page(token, room, after, 200);
			page.forEach(events::add);
			more = !page.isEmpty();
			after = more ? events.getLast().path("position").asLong() : after;
		}
		return events;
	}

	/**
	 * Returns one page of the events after a position, in ascending order; empty at the
	 * end.
	 * @throws RefusedException when the page cannot be read
	 */
	public JsonNode page(String token, String room, long after, int limit) {
		return get("/api/rooms/%s/messages?limit=%d&after=%d".formatted(room, limit, after), token).path("events");
	}

	private JsonNode get(String path, String token) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.url.resolve(path))
			.timeout(Duration.ofSeconds(30))
			.header("Authorization", "Bearer " + token);
		return answer("GET " + path, request);
	}

	private JsonNode post(String path, @Nullable String token, Map<String, ?> body) {
		HttpRequest.Builder request = HttpRequest.newBuilder(this.url.resolve(path))
			.timeout(Duration.ofSeconds(30))
			.header("Content-Type", "application/json")
			.POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		return answer("POST " + path, request);
	}

	private JsonNode answer(String what, HttpRequest.Builder request) {
		HttpResponse<String> response = send(request.build());
		if (response.statusCode() / 100 != 2) {
			throw new RefusedException("%s was answered with %d: %s".formatted(what, response.statusCode(),
					(response.body().length() > 300) ? response.body().substring(0, 300) : response.body()));
		}
		return response.body().isBlank() ? JSON.createObjectNode() : JSON.readTree(response.body());
	}

	private HttpResponse<String> send(HttpRequest request) {
		try {
			return this.client.send(request, BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new RefusedException("No answer from %s (%s): is the server running?".formatted(request.uri(), ex));
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	@Override
	public void close() {
		this.client.close();
	}

}
