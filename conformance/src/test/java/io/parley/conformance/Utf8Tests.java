package io.parley.conformance;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Lengths count bytes, and no character is split. */
@FanOut
@UnlimitedServer
class Utf8Tests {

	private static final int LIMIT = 16 * 1024;

	/** Four bytes in UTF-8. */
	private static final String SMILE = "😀";

	private final ChatServer server;

	Utf8Tests(ChatServer server) {
		this.server = server;
	}

	@Test
	void acceptsFourByteCharactersUpToTheLimit() {
		String room = this.server.room("anna");
		int free = LIMIT - body("").getBytes(StandardCharsets.UTF_8).length;
		String text = SMILE.repeat(free / 4) + "x".repeat(free % 4);
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			assertThat(anna.expectError("/app/rooms." + room + ".send", body(text + "x")).path("code").asString())
				.isEqualTo("message-too-large");
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"), body(text));
			assertThat(anna.expectMessage("s", "c1").path("text").asString()).isEqualTo(text);
			assertThat(this.server.user("anna").history(room, "?limit=1").getFirst().path("text").asString())
				.isEqualTo(text);
		}
	}

	@Test
	void countsTheContentLengthInBytes() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			String body = body("e\u0301" + SMILE + "漢");
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send", "content-length",
					String.valueOf(body.getBytes(StandardCharsets.UTF_8).length)), body);
			Frame message = anna
				.expect((frame) -> frame.isMessageOf("s") && frame.body().contains("\"clientId\":\"c1\""));
			assertThat(message.header("content-length"))
				.isEqualTo(String.valueOf(message.body().getBytes(StandardCharsets.UTF_8).length));
			assertThat(message.json().path("text").asString()).isEqualTo("e\u0301" + SMILE + "漢");
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3 })
	void joinsACharacterSplitAcrossTwoWebSocketFrames(int bytes) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			String frame = Frame.encode("SEND", Map.of("destination", "/app/rooms." + room + ".send"), body(SMILE));
			int split = frame.substring(0, frame.indexOf(SMILE)).length() + bytes;
			anna.binaryInTwoFrames(frame.getBytes(StandardCharsets.UTF_8), split);
			assertThat(anna.expectMessage("s", "c1").path("text").asString()).isEqualTo(SMILE);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "ünï", "😀", "a:b", "line\nbreak", "back\\slash", "漢字", "e\u0301" })
	void returnsTheReceiptUnchanged(String receipt) {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.send("SUBSCRIBE", Map.of("id", "me", "destination", "/user/queue/events", "receipt", receipt), "");
			anna.expectReceipt(receipt);
		}
	}

	@Test
	void keepsTheNameOfARoom() {
		this.server.user("bert");
		String name = "Zoë & 👩‍👩‍👧‍👦 \u0308";
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			String room = this.server.user("anna").openGroup(name, "bert");
			JsonNode added = bert.expectEvent("me", (event) -> event.path("room").asString("").equals(room));
			assertThat(added.path("name").asString()).isEqualTo(name);
			assertThat(this.server.user("bert").listed(room).path("name").asString()).isEqualTo(name);
		}
	}

	private static String body(String text) {
		return "{\"clientId\":\"c1\",\"text\":\"" + text + "\"}";
	}

}
