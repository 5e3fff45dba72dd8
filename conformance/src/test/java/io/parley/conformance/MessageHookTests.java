package io.parley.conformance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** A program of the operator that is asked before a message is accepted. */
@ProtocolTest(properties = { "chat.messages.hook.deadline=10s", "chat.limits.sends-per-second=0",
		"chat.limits.reactions-per-second=0", "chat.limits.rooms-per-minute=0", "chat.session.heart-beat=1s",
		"chat.limits.sessions-per-user=0" })
class MessageHookTests {

	private static final Program PROGRAM = new Program();

	private final ChatServer server;

	MessageHookTests(ChatServer server) {
		this.server = server;
	}

	@DynamicPropertySource
	static void hook(DynamicPropertyRegistry registry) {
		registry.add("chat.messages.hook.url", PROGRAM::url);
	}

	@AfterAll
	static void stop() {
		PROGRAM.close();
	}

	/** Refuses, fails or waits by a word in the text. */
	private static final class Program implements AutoCloseable {

		private final List<JsonNode> checked = new CopyOnWriteArrayList<>();

		private final Map<String, CountDownLatch> waiting = new ConcurrentHashMap<>();

		private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

		private final HttpServer http;

		Program() {
			try {
				this.http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			this.http.setExecutor(this.threads);
			this.http.createContext("/", this::answer);
			this.http.start();
		}

		String url() {
			return "http://127.0.0.1:" + this.http.getAddress().getPort() + "/";
		}

		private void answer(HttpExchange exchange) throws IOException {
			try (exchange) {
				JsonNode data = ChatApi.JSON.readTree(exchange.getRequestBody().readAllBytes()).path("data");
				this.checked.add(data);
				String text = data.path("text").asString();
				CountDownLatch latch = this.waiting.get(text);
				if (latch != null) {
					latch.await(60, TimeUnit.SECONDS);
				}
				byte[] body = (text.contains("badword") ? "{\"allow\":false,\"reason\":\"No such words here.\"}"
						: "{\"allow\":true}")
					.getBytes(StandardCharsets.UTF_8);
				exchange.sendResponseHeaders(text.contains("broken") ? 500 : 200, body.length);
				exchange.getResponseBody().write(body);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		/** Answers messages with this text only after the latch is counted down. */
		CountDownLatch holds(String text) {
			CountDownLatch latch = new CountDownLatch(1);
			this.waiting.put(text, latch);
			return latch;
		}

		long checked(String room) {
			return this.checked.stream().filter((data) -> data.path("room").asString().equals(room)).count();
		}

		void awaitCheck(String room, String text) {
			await().until(() -> this.checked.stream()
				.anyMatch((data) -> data.path("room").asString().equals(room)
						&& data.path("text").asString().equals(text)));
		}

		@Override
		public void close() {
			this.http.stop(0);
			this.threads.shutdownNow();
		}

	}

	private ChatApi.Answer post(String user, String room, String clientId, String text) {
		return this.server.user(user)
			.post("/api/rooms/" + room + "/messages", Map.of("clientId", clientId, "text", text));
	}

	@Test
	void refusesAMessageWithAReason() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			bert.follow("s", room);
			JsonNode error = anna.expectError("/app/rooms." + room + ".send",
					"{\"clientId\":\"c1\",\"text\":\"a badword\"}");
			assertThat(error.path("code").asString()).isEqualTo("message-refused");
			assertThat(error.path("message").asString()).isEqualTo("No such words here.");
			assertThat(error.path("clientId").asString()).isEqualTo("c1");
			assertThat(error.has("retryAfter")).isFalse();
			ChatApi.Answer answer = post("anna", room, "c2", "badword").expect(403);
			assertThat(answer.code()).isEqualTo("message-refused");
			assertThat(answer.body().path("detail").asString()).isEqualTo("No such words here.");
			// The same id may be used for a better text.
			anna.expectReceipt(anna.say(room, "c1", "a word"));
			bert.expectMessage("s", "c1");
			assertThat(bert.events("s").stream().filter((event) -> event.has("clientId"))).hasSize(1);
		}
		assertThat(this.server.user("bert").view(room, "")).hasSize(1);
	}

	@Test
	void checksRepliesAndEditsButNothingElse() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long position = anna.say(room, "c1", "text");
		assertThat(anna.edit(room, position, "e1", "badword").expect(403).code()).isEqualTo("message-refused");
		assertThat(anna
			.post("/api/rooms/" + room + "/threads/" + position + "/messages",
					Map.of("clientId", "t1", "text", "badword"))
			.expect(403)
			.code()).isEqualTo("message-refused");
		anna.edit(room, position, "e2", "better").expect(202);
		long checked = PROGRAM.checked(room);
		assertThat(checked).isEqualTo(4);
		anna.react(room, position, ":a:", true).expect(202);
		anna.say(room, "c1", "text");
		anna.edit(room, position, "e2", "better").expect(202);
		anna.deleteMessage(room, position).expect(202);
		assertThat(PROGRAM.checked(room)).isEqualTo(checked);
	}

	@Test
	void isNotAskedAboutWhatIsRefusedAnyway() {
		String room = this.server.room("anna", "bert");
		long position = this.server.user("anna").say(room, "c1", "text");
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		post("bert", room, "c1", "text").expect(403);
		post("stranger", room, "c1", "text").expect(403);
		assertThat(this.server.user("bert").edit(room, position, "e", "text").status()).isEqualTo(403);
		assertThat(PROGRAM.checked(room)).isEqualTo(1);
	}

	@FanOut
	@Test
	void aSlowAnswerKeepsTheOrderOfItsSessionAndHoldsUpNobodyElse() {
		String room = this.server.room("anna", "bert");
		CountDownLatch answer = PROGRAM.holds("held " + room);
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			anna.say(room, "a1", "held " + room);
			anna.say(room, "a2", "second");
			anna.say(room, "a3", "third");
			PROGRAM.awaitCheck(room, "held " + room);
			bert.expectReceipt(bert.say(room, "b1", "meanwhile"));
			bert.expectMessage("s", "b1");
			post("anna", room, "a4", "from another device").expect(202);
			answer.countDown();
			bert.expectMessage("s", "a3");
			assertThat(bert.events("s").stream().map((event) -> event.path("clientId").asString("")).toList())
				.containsSubsequence("b1", "a4", "a1", "a2", "a3");
		}
	}

	@FanOut
	@Test
	void fiftySendersWhoWaitHoldUpNobodyElse() {
		String room = this.server.room("anna", "bert");
		CountDownLatch answer = PROGRAM.holds("held " + room);
		List<StompConnection> waiting = new ArrayList<>();
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			for (int i = 0; i < 50; i++) {
				StompConnection anna = this.server.connect("anna");
				waiting.add(anna);
				anna.say(room, "a" + i, "held " + room);
			}
			await().until(() -> PROGRAM.checked(room) == 50);
			bert.expectReceipt(bert.say(room, "b1", "meanwhile"));
			bert.expectMessage("s", "b1");
			answer.countDown();
			for (int i = 0; i < 50; i++) {
				bert.expectMessage("s", "a" + i);
			}
		}
		finally {
			waiting.forEach(StompConnection::close);
		}
	}

	/** The server does not read its heart-beats meanwhile. */
	@FanOut
	@Test
	void aSenderWhoWaitsIsNotSilent() {
		String room = this.server.room("anna");
		CountDownLatch answer = PROGRAM.holds("held " + room);
		try (StompConnection anna = StompConnection.open(this.server)) {
			anna.send("CONNECT", Map.of("accept-version", "1.2", "heart-beat", "1000,0", "passcode",
					this.server.user("anna").token()), "");
			assertThat(anna.expect((frame) -> frame.is("CONNECTED")).header("heart-beat")).endsWith(",1000");
			anna.subscribe("me", "/user/queue/events");
			String receipt = anna.say(room, "a1", "held " + room);
			PROGRAM.awaitCheck(room, "held " + room);
			// Longer than a client may be silent.
			await().pollInterval(Duration.ofMillis(100)).during(Duration.ofSeconds(4)).until(() -> {
				anna.text("\n");
				return !anna.isClosed();
			});
			answer.countDown();
			anna.expectReceipt(receipt);
		}
	}

	/** The socket closes although the server is not reading it. */
	@Test
	void aSenderWhoWaitsIsSignedOutAtOnce() {
		String room = this.server.room("anna", "leaving");
		CountDownLatch answer = PROGRAM.holds("held " + room);
		ChatApi leaving = this.server.anonymous().login("leaving");
		try (StompConnection connection = StompConnection.open(this.server).connect(leaving.token());
				StompConnection anna = this.server.connect("anna")) {
			anna.subscribe("signals", "/topic/rooms." + room + ".signals");
			connection.say(room, "l1", "held " + room);
			PROGRAM.awaitCheck(room, "held " + room);
			leaving.post("/api/auth/logout", Map.of()).expect(204);
			assertThat(connection.expectClosed()).isEqualTo(4403);
			anna.expectEvent("signals", (event) -> event.path("type").asString().equals("presence")
					&& event.path("user").asString().equals("leaving") && !event.path("online").asBoolean());
		}
		finally {
			answer.countDown();
		}
	}

	@Test
	void aSenderWhoIsMutedMeanwhileIsRefused() {
		String room = this.server.room("anna", "bert");
		CountDownLatch answer = PROGRAM.holds("held " + room);
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			String receipt = bert.say(room, "b1", "held " + room);
			PROGRAM.awaitCheck(room, "held " + room);
			this.server.user("anna")
				.put("/api/rooms/" + room + "/mutes/bert", Map.of("until", Instant.now().plusSeconds(3_600).toString()))
				.expect(204);
			answer.countDown();
			assertThat(bert.expectEvent("me", (event) -> event.path("receipt").asString("").equals(receipt))
				.path("code")
				.asString()).isEqualTo("muted");
		}
		assertThat(this.server.user("anna").view(room, "")).isEmpty();
	}

	@Test
	void withoutAnAnswerTheMessageIsNotAccepted() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".send",
					"{\"clientId\":\"c1\",\"text\":\"broken\"}");
			assertThat(error.path("code").asString()).isEqualTo("check-unavailable");
			assertThat(error.path("retryAfter").asLong()).isEqualTo(1);
		}
		ChatApi.Answer answer = post("anna", room, "c2", "broken").expect(503);
		assertThat(answer.code()).isEqualTo("check-unavailable");
		assertThat(answer.response().headers().firstValue("Retry-After")).hasValue("1");
		assertThat(this.server.user("anna").view(room, "")).isEmpty();
	}

	@Test
	void aRefusedMessageTakesNoTurnOfSlowMode() {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").put("/api/rooms/" + room + "/slow-mode", Map.of("seconds", 60)).expect(204);
		assertThat(post("bert", room, "c1", "badword").expect(403).code()).isEqualTo("message-refused");
		post("bert", room, "c2", "text").expect(202);
		long checked = PROGRAM.checked(room);
		assertThat(post("bert", room, "c3", "text").expect(429).code()).isEqualTo("slow-mode");
		assertThat(PROGRAM.checked(room)).isEqualTo(checked);
	}

}
