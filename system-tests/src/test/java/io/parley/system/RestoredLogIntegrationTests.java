package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import org.springframework.util.FileSystemUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** Restores an older copy of the log, but not of the database. */
@Tag("exhaustive")
class RestoredLogIntegrationTests {

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess();

	private final HttpClient http = HttpClient.newHttpClient();

	private final ChatApi api = new ChatApi(this.server.url());

	@Test
	void isRefusedAndLosesNothingWithANewEpoch() throws Exception {
		this.server.start();
		String token = this.api.login("alice", "demo");
		String room = this.api.createRoom(token, "Restored", List.of("bob"));
		post(token, room, 0);
		this.server.stop();
		copy("data/log", "copy");
		this.server.start();
		post(token, room, 20);
		awaitStored();
		this.server.stop();
		FileSystemUtils.deleteRecursively(this.server.directory().resolve("data/log"));
		copy("copy", "data/log");

		Process refused = this.server.launch();
		assertThat(refused.waitFor(2, TimeUnit.MINUTES)).isTrue();
		assertThat(refused.exitValue()).isEqualTo(1);
		assertThat(this.server.output()).contains("is older than the database")
			.contains("run \"./chat restore --new-epoch\"");

		Files.createFile(this.server.directory().resolve("data/log/new-epoch"));
		this.server.start();
		post(token, room, 40);
		RoomHistory history = new RoomHistory(room, this.api.history(token, room));
		history.assertUnbroken();
		assertThat(history.messages()).extracting((message) -> message.path("clientId").asString())
			.containsExactlyElementsOf(IntStream.range(0, 60).mapToObj((i) -> "c" + i).toList());
		assertSameAfterRestart(token, room, history.events());
	}

	private void assertSameAfterRestart(String token, String room, List<JsonNode> events) throws Exception {
		this.server.stop();
		this.server.start();
		assertThat(this.api.history(token, room)).isEqualTo(events);
	}

	/** Events that are only in the discarded log would be lost. */
	private void awaitStored() {
		URI metrics = this.server.managementUrl().resolve("/actuator/prometheus");
		Awaitility.await("everything in the database")
			.atMost(Duration.ofMinutes(1))
			.until(() -> this.http.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
				.body()
				.contains("chat_reader_lag{reader=\"persistence\"} 0.0"));
	}

	private void post(String token, String room, int from) {
		IntStream.range(from, from + 20).forEach((i) -> this.api.post(token, room, "c" + i, "Hello " + i));
	}

	private void copy(String from, String to) throws IOException {
		FileSystemUtils.copyRecursively(this.server.directory().resolve(from), this.server.directory().resolve(to));
	}

}
