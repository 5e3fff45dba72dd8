package io.parley.conformance;

import java.util.HashMap;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sends frames in the wrong order, unusual frames and frames that are too large. */
@UnlimitedServer
class FrameSecurityTests {

	private static final String[] INSIDE = { "Exception", "io.parley", "springframework", "java.", "jetty",
			"tools.jackson", "\tat " };

	private final ChatServer server;

	FrameSecurityTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@ValueSource(strings = { "SUBSCRIBE\nid:s\ndestination:/user/queue/events\n\n\0",
			"SEND\ndestination:/app/rooms.x.send\n\n{}\0", "UNSUBSCRIBE\nid:s\n\n\0", "ACK\nid:1\n\n\0",
			"DISCONNECT\nreceipt:r\n\n\0" })
	void framesBeforeConnectEndTheSession(String frame) {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.text(frame);
			assertThat(connection.expect((answer) -> answer.is("ERROR")).body()).doesNotContain(INSIDE);
			connection.expectClosed();
		}
	}

	@Test
	void aSecondConnectEndsTheSessionAndMakesNobodyElse() {
		try (StompConnection connection = this.server.connect("anna")) {
			connection.send("CONNECT", Map.of("accept-version", "1.2", "passcode", this.server.user("bert").token()),
					"");
			assertThat(connection.expect((frame) -> frame.is("ERROR")).body()).doesNotContain(INSIDE);
			connection.expectClosed();
			assertThat(connection.frames()).noneMatch((frame) -> frame.header("user-name").equals("bert"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "NONSENSE\n\n\0", "SEND\nno-colon\n\nx\0", "SEND\ndestination:\\x\n\n\0",
			"SEND\ncontent-length:1\n\nxyz\0" })
	void malformedFramesEndTheSessionAndSayNothingAboutTheInside(String frame) {
		try (StompConnection connection = this.server.connectWithEvents("anna")) {
			connection.text(frame);
			assertThat(connection.expect((answer) -> answer.is("ERROR")).body()).doesNotContain(INSIDE);
			connection.expectClosed();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "\0", "CONNECT", "SEND\ncontent-length:-5\ndestination:/app/token\n\nx\0",
			"SEND\ncontent-length:x\ndestination:/app/token\n\nx\0" })
	void oddFramesSayNothingAboutTheInside(String frame) {
		try (StompConnection connection = this.server.connectWithEvents("anna")) {
			connection.text(frame);
			connection.text("DISCONNECT\nreceipt:bye\n\n\0");
			connection.expect((answer) -> answer.is("ERROR") || answer.isReceipt("bye"));
			assertThat(connection.frames()).allSatisfy((answer) -> assertThat(answer.body()).doesNotContain(INSIDE));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ACK", "NACK", "BEGIN", "COMMIT", "ABORT" })
	void transactionsAndAcksAreRefusedAndTheSessionLives(String command) {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError(command, Map.of("id", "1", "transaction", "t"), "");
			assertThat(error.path("code").asString()).isEqualTo("bad-frame");
			assertThat(error.path("message").asString()).contains(command).doesNotContain(INSIDE);
		}
	}

	@Test
	void tooManyHeadersAreRefusedAndTheSessionLives() {
		Map<String, String> headers = new HashMap<>(Map.of("destination", "/app/token"));
		for (int i = 0; i < 40; i++) {
			headers.put("x" + i, "y");
		}
		assertRefused(headers);
	}

	@Test
	void aLongHeaderIsRefusedAndTheSessionLives() {
		assertRefused(Map.of("destination", "/app/token", "x", "y".repeat(9_000)));
		assertRefused(Map.of("destination", "/app/token" + "y".repeat(9_000)));
		assertRefused(Map.of("destination", "/app/token", "y".repeat(9_000), "x"));
	}

	private void assertRefused(Map<String, String> headers) {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("SEND", headers, "{}").path("code").asString()).isEqualTo("bad-frame");
			anna.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
		}
	}

	@Test
	void aLongHeaderOfConnectEndsTheSession() {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.send("CONNECT", Map.of("accept-version", "1.2", "Authorization", "Bearer " + "x".repeat(9_000)),
					"");
			assertThat(connection.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("bad-frame");
			connection.expectClosed();
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 16 * 1024 + 1, 64 * 1024, 200 * 1024 })
	void aBodyAboveTheLimitIsRefusedAndTheSessionLives(int bytes) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".send", "x".repeat(bytes));
			assertThat(error.path("code").asString()).isEqualTo("message-too-large");
			String frame = "{\"clientId\":\"c1\",\"text\":\"\"}";
			anna.expectReceipt(anna.say(room, "c1", "y".repeat(16 * 1024 - frame.length())));
			ChatApi.Answer answer = this.server.user("anna")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "y".repeat(bytes)));
			assertThat(answer.expect(413).code()).isEqualTo("message-too-large");
		}
	}

	@Test
	void aFrameAboveTheLimitClosesTheSocketWith1009() {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.tooLarge("SEND\ndestination:/app/token\n\n" + "x".repeat(300 * 1024) + "\0");
			assertThat(anna.expectClosed()).isEqualTo(1009);
		}
		try (StompConnection anna = this.server.connect("anna")) {
			anna.tooLarge(new byte[300 * 1024]);
			assertThat(anna.expectClosed()).isEqualTo(1009);
		}
	}

	@Test
	void aTooFrequentHeartBeatIsClamped() {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.send("CONNECT",
					Map.of("accept-version", "1.2", "heart-beat", "1,1", "passcode", this.server.user("anna").token()),
					"");
			String[] offered = connection.expect((frame) -> frame.is("CONNECTED")).header("heart-beat").split(",");
			assertThat(Integer.parseInt(offered[0])).isGreaterThanOrEqualTo(1_000);
			assertThat(Integer.parseInt(offered[1])).isGreaterThanOrEqualTo(1_000);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "x,y", "1", "-1,-1", "1,2,3", "99999999999999999999,0" })
	void anOddHeartBeatHarmsNobody(String heartBeat) {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.send("CONNECT", Map.of("accept-version", "1.2", "heart-beat", heartBeat, "passcode",
					this.server.user("anna").token()), "");
			Frame answer = connection.expect((frame) -> frame.is("CONNECTED") || frame.is("ERROR"));
			assertThat(answer.body()).doesNotContain(INSIDE);
		}
	}

	@Test
	void compressionIsNotAgreedTo() {
		try (Handshake handshake = Handshake.with(this.server,
				"Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits")) {
			assertThat(handshake.status()).isEqualTo(101);
			assertThat(handshake.header("sec-websocket-extensions")).isEmpty();
			assertThat(handshake.header("sec-websocket-protocol")).isEqualTo("v12.stomp");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://evil.example", "https://127.0.0.1.evil.example", "null", "http://127.0.0.1:1",
			"https://localhost" })
	void aPageOfAnotherSiteGetsNoSocket(String origin) {
		try (Handshake handshake = Handshake.with(this.server, "Origin: " + origin)) {
			assertThat(handshake.status()).isEqualTo(403);
		}
	}

	@Test
	void aPageOfThisSiteAndAClientWithoutOriginGetASocket() {
		try (Handshake own = Handshake.with(this.server, "Origin: http://127.0.0.1:" + this.server.port());
				Handshake none = Handshake.with(this.server)) {
			assertThat(own.status()).isEqualTo(101);
			assertThat(none.status()).isEqualTo(101);
		}
	}

}
