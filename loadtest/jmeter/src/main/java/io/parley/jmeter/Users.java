package io.parley.jmeter;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;

/**
 * Signs up users and formats them for the plans: one line for each, with the credentials
 * header of CONNECT and the room. Each user has a room of its own.
 */
final class Users implements AutoCloseable {

	/**
	 * Half of the server's limit for one user, because JMeter hands out the lines in
	 * turn.
	 */
	static final int SESSIONS_EACH = 10;

	/**
	 * The server hashes passwords slowly on purpose, so more concurrent requests would
	 * only queue there.
	 */
	private static final int AT_ONCE = 4;

	private static final ObjectMapper JSON = new ObjectMapper();

	private final HttpClient client = HttpClient.newBuilder()
		.version(HttpClient.Version.HTTP_1_1)
		.connectTimeout(Duration.ofSeconds(10))
		.build();

	private final String run = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong(), 8);

	private final URI url;

	Users(URI url) {
		this.url = url;
	}

	/**
	 * Signs up the users for a number of sessions at Parley and returns their lines.
	 */
	List<String> signUp(int sessions) {
		int users = Math.ceilDiv(sessions, SESSIONS_EACH);
		System.out.printf("signing up %,d users, one for %d sessions%n", users, SESSIONS_EACH);
		try (ExecutorService executor = Executors.newFixedThreadPool(AT_ONCE)) {
			List<Future<String>> pending = new ArrayList<>();
			for (int n = 0; n < users; n++) {
				String name = "jm-" + this.run + "-" + n;
				pending.add(executor.submit(() -> line(name)));
			}
			List<String> lines = new ArrayList<>();
			for (Future<String> line : pending) {
				lines.add(line.get());
			}
			return lines;
		}
		catch (ExecutionException ex) {
			throw (ex.getCause() instanceof RefusedException refused) ? refused : new IllegalStateException(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new RefusedException("The run was interrupted.");
		}
	}

	/**
	 * Returns the lines for a server without accounts.
	 */
	static List<String> plain(int sessions, @Nullable String login, @Nullable String passcode) {
		// Servers ignore an unknown header of CONNECT.
		String credentials = (login != null) ? "login:" + login : "client:JMeter";
		String all = (passcode != null) ? credentials + "\npasscode:" + passcode : credentials;
		List<String> lines = new ArrayList<>();
		for (int n = 0; n < Math.ceilDiv(sessions, SESSIONS_EACH); n++) {
			lines.add("\"" + all.replace("\"", "\"\"") + "\",jmeter-" + n);
		}
		return lines;
	}

	private String line(String name) {
		String password = UUID.randomUUID().toString();
		Map<String, ?> credentials = Map.of("username", name, "password", password);
		post("/api/auth/register", null, credentials);
		String token = post("/api/auth/login", null, credentials).path("accessToken").asText();
		String room = post("/api/rooms", token, Map.of("name", name, "kind", "group")).path("id").asText();
		return "Authorization:Bearer " + token + "," + room;
	}

	private JsonNode post(String path, @Nullable String token, Map<String, ?> body) {
		try {
			HttpRequest.Builder request = HttpRequest.newBuilder(this.url.resolve(path))
				.timeout(Duration.ofSeconds(60))
				.header("Content-Type", "application/json")
				.POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)));
			if (token != null) {
				request.header("Authorization", "Bearer " + token);
			}
			HttpResponse<String> response = this.client.send(request.build(), BodyHandlers.ofString());
			if (response.statusCode() / 100 != 2) {
				throw new RefusedException(
						"%s answers %d to POST %s: is that a chat-server? For another STOMP server use --plain. %s"
							.formatted(this.url, response.statusCode(), path,
									response.body().lines().findFirst().orElse("")));
			}
			return JSON.readTree(response.body().isEmpty() ? "{}" : response.body());
		}
		catch (IOException ex) {
			throw new RefusedException(
					"Nothing answers at %s (POST %s): start the server with \"./chat run\", or pass --url."
						.formatted(this.url, path));
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
