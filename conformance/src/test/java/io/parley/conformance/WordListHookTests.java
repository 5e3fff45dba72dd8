package io.parley.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * The example of a hook, {@code deploy/hook/word-list.py}, with a server that asks it.
 */
@ProtocolTest(properties = { "chat.messages.hook.deadline=10s", "chat.limits.sends-per-second=0",
		"chat.messages.hook.secret=" + WordListHookTests.SECRET })
class WordListHookTests {

	static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

	private static final @Nullable Program PROGRAM = Program.start();

	private final ChatServer server;

	WordListHookTests(ChatServer server) {
		this.server = server;
	}

	/** The running example. */
	private record Program(Process process, String url, Path words) {

		/** Returns null without Python. */
		static @Nullable Program start() {
			try {
				Path words = Files.writeString(Files.createTempFile("words", ".txt"),
						"badword\n two  words \n\nÉcole\n");
				ProcessBuilder command = new ProcessBuilder("python3", "../deploy/hook/word-list.py", words.toString(),
						"0");
				command.environment().put("WEBHOOK_SECRET", SECRET);
				command.redirectError(ProcessBuilder.Redirect.INHERIT);
				Process process = command.start();
				BufferedReader output = process.inputReader();
				String line = output.readLine();
				assertThat(line).startsWith("Listens on http://127.0.0.1:");
				return new Program(process, line.substring("Listens on ".length()), words);
			}
			catch (IOException ex) {
				if (String.valueOf(ex.getMessage()).contains("python3")) {
					return null;
				}
				throw new UncheckedIOException(ex);
			}
		}

	}

	@DynamicPropertySource
	static void hook(DynamicPropertyRegistry registry) {
		registry.add("chat.messages.hook.url", () -> (PROGRAM != null) ? PROGRAM.url() : "");
	}

	@AfterAll
	static void stop() throws IOException {
		if (PROGRAM != null) {
			PROGRAM.process().destroyForcibly();
			Files.delete(PROGRAM.words());
		}
	}

	private static Program program() {
		assumeTrue(PROGRAM != null, "python3 is not installed");
		return Objects.requireNonNull(PROGRAM);
	}

	@BeforeEach
	void needsPython() {
		program();
	}

	private ChatApi.Answer post(Map<String, ?> fields) {
		ChatApi anna = this.server.user("anna");
		Map<String, Object> body = new HashMap<>(fields);
		body.put("clientId", UUID.randomUUID().toString());
		return anna.post("/api/rooms/" + anna.openGroup("Room") + "/messages", body);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "badword", "What a BadWord!", "(ｂａｄｗｏｒｄ)", "one two  words three", "ecole", "É\u0301COLE" })
	void refusesWords(String text) {
		assertThat(post(Map.of("text", text)).expect(403).code()).isEqualTo("message-refused");
	}

	@Test
	void refusesWordsInTheFieldsOfClients() {
		post(Map.of("text", "fine", "card", Map.of("lines", new String[] { "a badword" }))).expect(403);
	}

	@ParameterizedTest
	@ValueSource(strings = { "badwords", "a bad word", "two other words", "message.posted anna" })
	void allowsOtherWords(String text) {
		post(Map.of("text", text)).expect(202);
	}

	@Test
	void readsTheListAgain() throws IOException {
		String before = Files.readString(program().words());
		try {
			Files.writeString(program().words(), before + "another\n");
			post(Map.of("text", "another")).expect(403);
			Files.writeString(program().words(), "");
			post(Map.of("text", "badword")).expect(202);
		}
		finally {
			Files.writeString(program().words(), before);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "v1,", "v1,AAAA", "v2,x v1,y" })
	void takesSignedRequestsOnly(String signature) throws Exception {
		try (HttpClient client = HttpClient.newHttpClient()) {
			HttpRequest request = HttpRequest.newBuilder(URI.create(program().url()))
				.header("webhook-id", "id")
				.header("webhook-timestamp", String.valueOf(System.currentTimeMillis() / 1000))
				.header("webhook-signature", signature)
				.POST(BodyPublishers.ofString("{\"data\":{\"text\":\"t\"}}"))
				.build();
			assertThat(client.send(request, BodyHandlers.ofString()).statusCode()).isEqualTo(401);
		}
	}

}
