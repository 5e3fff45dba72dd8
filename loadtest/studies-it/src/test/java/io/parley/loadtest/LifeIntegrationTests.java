package io.parley.loadtest;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.parley.loadtest.LoadKit.Run;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Real use of a packaged server, and of one whose database was filled while it was
 * stopped.
 */
@Tag("exhaustive")
class LifeIntegrationTests {

	private static final int FILLED = 20_000;

	private static final int PAGE = 200;

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	@TempDir
	Path folder;

	private Run kit(RestartableServer server, String... arguments) throws Exception {
		return kit(server, Files.createTempDirectory(this.folder, "kit"), arguments);
	}

	private static Run kit(RestartableServer server, Path work, String... arguments) throws Exception {
		return LoadKit.run(work, Stream.concat(Stream.of(arguments), Stream.of("--url", server.url().toString()))
			.toArray(String[]::new));
	}

	@Test
	void lifeLosesNothingAndCountsTheStatements() throws Exception {
		try (RestartableServer server = new RestartableServer(this.folder.resolve("server"))) {
			server.start();
			Run run = kit(server, "life", "--users", "8", "--rooms-per-user", "6", "--connect-rate", "2", "--rate", "5",
					"--hold", "12s", "--warmup", "5s", "--drain", "120s", "--costs", "2", "--storm", "--reconnects",
					"1", "--rejoins", "1", "--looking", "1", "--reactions", "2", "--replies", "0.3", "--edits", "0.3",
					"--deletions", "0.1", "--management", server.management().toString());
			// A machine without time for this server makes it refuse frames, which the
			// run
			// counts as errors.
			assertThat(run.output()).containsPattern("sessions held +8 of 8\\R")
				.contains("0 lost, 0 duplicate, 0 out of order, 0 gaps, 0 broken chains")
				.contains("Statements of the database for one action", "Requests while all connected",
						"Requests during the hold", "Reconnects during the hold", "What happened")
				.containsPattern("storm: live again, from the attempt( +[0-9.,]+){6} +[1-8]\\R")
				// The server's own statements are subtracted, so few statements may be
				// none.
				.containsPattern("GET /api/rooms +2 +[0-9]")
				.containsPattern("reconnect, as the page does it +2 +[0-9]")
				.containsPattern("read markers sent +[1-9]")
				.containsPattern("replies in threads sent +[1-9]")
				.containsPattern("reactions sent +[1-9]")
				.containsPattern("edits sent +[1-9]")
				.containsPattern("reply in a thread +2 +[0-9]")
				.containsPattern("holding +[0-9.]+ +[0-9.]+ +[0-9.]+ +[0-9.]+\\R");
		}
	}

	@Test
	void aServerThatIsReplacedIsNoErrorIfItIsExpected() throws Exception {
		String[] arguments = { "life", "--users", "4", "--rooms-per-user", "3", "--rate", "4", "--hold", "25s",
				"--warmup", "0s", "--drain", "120s", "--costs", "0", "--reconnects", "0", "--rejoins", "0" };
		try (RestartableServer server = new RestartableServer(this.folder.resolve("server"))) {
			server.start();
			Run expected = replaced(server,
					Stream.concat(Stream.of(arguments), Stream.of("--rolling")).toArray(String[]::new));
			assertThat(expected.exitCode()).as(expected.output()).isZero();
			assertThat(expected.output()).contains("0 lost, 0 duplicate, 0 out of order, 0 gaps, 0 broken chains")
				.containsPattern("connections closed by stopping servers +4\\R")
				.containsPattern("most attempts to connect again in one second +[1-9]");
			Run unexpected = replaced(server, arguments);
			assertThat(unexpected.exitCode()).isEqualTo(1);
			assertThat(unexpected.output()).contains("closed with 1001");
		}
	}

	/** Runs the kit, and stops and starts the server once messages arrive. */
	private Run replaced(RestartableServer server, String... arguments) throws Exception {
		Path work = Files.createTempDirectory(this.folder, "replaced");
		Path output = work.resolve("output.txt");
		CompletableFuture<Run> run = CompletableFuture.supplyAsync(() -> {
			try {
				return kit(server, work, arguments);
			}
			catch (Exception ex) {
				throw new CompletionException(ex);
			}
		});
		Awaitility.await("the users to chat")
			.atMost(Duration.ofMinutes(4))
			.until(() -> Files.exists(output) && Files.readString(output).contains(" holding "));
		server.stop();
		server.start();
		return run.get(5, TimeUnit.MINUTES);
	}

	@Test
	void reactionsOfAllUsersAreCountedExactlyAndCauseFewEvents() throws Exception {
		try (RestartableServer server = new RestartableServer(this.folder.resolve("server"))) {
			server.start();
			Run run = kit(server, "reactions", "--users", "20", "--rounds", "1", "--hold", "5s", "--warmup", "2s",
					"--drain", "60s");
			assertThat(run.output()).containsPattern("(?m)^ +1( +[0-9.]+){6} +exact$")
				.contains("0 lost, 0 duplicate, 0 out of order, 0 gaps, 0 broken chains");
			Run limited = kit(server, "reactions", "--users", "2", "--rounds", "1", "--per-user", "50", "--hold", "3s",
					"--warmup", "0s", "--drain", "60s");
			assertThat(limited.exitCode()).isEqualTo(1);
			assertThat(limited.output()).contains("WRONG").contains("chat.limits.reactions-per-second");
		}
	}

	@Test
	void aServerContinuesAfterTheMessagesOfFill() throws Exception {
		Path people = this.folder.resolve("people.json");
		try (RestartableServer server = new RestartableServer(this.folder.resolve("server"))) {
			server.start();
			Run prepared = kit(server, "life", "--prepare", "--users", "10", "--rooms-per-user", "6", "--people",
					people.toString());
			assertThat(prepared.exitCode()).as(prepared.output()).isZero();
			JsonNode persons = JsonMapper.shared().readTree(Files.readString(people)).path("persons");
			String token = logIn(server, persons.path(0));
			JsonNode before = get(server, token, "/api/rooms");
			assertThat(fill(server).output()).contains("stop it first");
			server.stop();
			Run filled = fill(server);
			assertThat(filled.exitCode()).as(filled.output()).isZero();
			assertThat(filled.output()).contains("20,000 messages in ");

			server.start();
			Map<String, Long> numbers = new HashMap<>();
			long messages = 0;
			for (JsonNode person : persons) {
				String its = logIn(server, person);
				for (JsonNode room : get(server, its, "/api/rooms")) {
					String id = room.path("id").asString();
					assertThat(room.path("unread").asLong()).as("the members have read everything").isZero();
					if (!numbers.containsKey(id)) {
						numbers.put(id, history(server, its, id));
						messages += numbers.get(id);
					}
				}
			}
			assertThat(messages).isEqualTo(FILLED);
			assertThat(before).isNotEmpty();
			continuesNumbering(server, token, before.path(0).path("id").asString(), numbers);
			Run life = kit(server, "life", "--people", people.toString(), "--rate", "3", "--hold", "8s", "--costs", "0",
					"--connect-rate", "2", "--warmup", "0s", "--drain", "120s", "--reconnects", "1");
			assertThat(life.output()).contains("0 lost, 0 duplicate, 0 out of order, 0 gaps, 0 broken chains")
				.containsPattern("sessions held +10 of 10\\R");
			assertThat(server.log()).doesNotContain("ERROR");
		}
	}

	private Run fill(RestartableServer server) throws IOException, InterruptedException {
		return LoadKit.run(Files.createTempDirectory(this.folder, "fill"), "fill", "--messages",
				Integer.toString(FILLED), "--datasource-url", server.database());
	}

	/**
	 * Reads the whole history, checks the chain and the numbers, and returns the number
	 * of messages.
	 */
	private static long history(RestartableServer server, String token, String room) throws Exception {
		List<JsonNode> events = new ArrayList<>();
		long last = 0;
		for (JsonNode page = page(server, token, room, 0); !page.isEmpty(); page = page(server, token, room, last)) {
			page.forEach(events::add);
			last = events.getLast().path("position").asLong();
		}
		long before = 0;
		long number = 0;
		for (JsonNode event : events) {
			assertThat(event.path("prev").asLong()).isEqualTo(before);
			before = event.path("position").asLong();
			number += event.path("type").asString().equals("message.posted") ? 1 : 0;
			assertThat(event.path("number").asLong()).isEqualTo(number);
		}
		return number;
	}

	private static void continuesNumbering(RestartableServer server, String token, String room,
			Map<String, Long> numbers) throws Exception {
		JsonNode newest = get(server, token, "/api/rooms/" + room + "/messages?limit=1");
		long head = newest.path("head").asLong();
		JsonNode accepted = send(server, token, "/api/rooms/" + room + "/messages",
				Map.of("clientId", "after-fill", "text", "Hello"));
		assertThat(accepted.path("position").asLong()).isGreaterThan(head);
		JsonNode added = page(server, token, room, head).path(0);
		assertThat(added.path("prev").asLong()).isEqualTo(head);
		assertThat(added.path("number").asLong()).isEqualTo(numbers.get(room) + 1);
	}

	private static JsonNode page(RestartableServer server, String token, String room, long after) throws Exception {
		return get(server, token, "/api/rooms/" + room + "/messages?limit=" + PAGE + "&after=" + after).path("events");
	}

	private static String logIn(RestartableServer server, JsonNode person) throws Exception {
		return send(server, null, "/api/auth/login",
				Map.of("username", person.path("username").asString(), "password", person.path("password").asString()))
			.path("accessToken")
			.asString();
	}

	private static JsonNode get(RestartableServer server, String token, String path) throws Exception {
		return exchange(server, token, path, HttpRequest.newBuilder());
	}

	private static JsonNode send(RestartableServer server, @Nullable String token, String path,
			Map<String, String> body) throws Exception {
		return exchange(server, token, path,
				HttpRequest.newBuilder()
					.header("Content-Type", "application/json")
					.POST(BodyPublishers.ofString(JsonMapper.shared().writeValueAsString(body))));
	}

	private static JsonNode exchange(RestartableServer server, @Nullable String token, String path,
			HttpRequest.Builder request) throws Exception {
		request.uri(server.url().resolve(path));
		if (token != null) {
			request.header("Authorization", "Bearer " + token);
		}
		HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
		assertThat(response.statusCode()).as(response.body()).isBetween(200, 299);
		return JsonMapper.shared().readTree(response.body());
	}

}
