package io.parley.conformance;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@UnlimitedServer
class SendTests {

	private final ChatServer server;

	SendTests(ChatServer server) {
		this.server = server;
	}

	@FanOut
	@Test
	void givesTheReceiptWhenHistoryHoldsTheMessage() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			for (int i = 0; i < 20; i++) {
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
				assertThat(this.server.user("anna").history(room, "?limit=1").getFirst().path("clientId").asString())
					.isEqualTo("c" + i);
			}
		}
	}

	@FanOut
	@Test
	void sendsAcceptedToEveryDeviceOfTheSender() {
		String room = this.server.room("anna", "bert");
		try (StompConnection phone = this.server.connectWithEvents("anna");
				StompConnection laptop = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			phone.follow("s", room);
			phone.expectReceipt(phone.say(room, "c1", "hello"));
			JsonNode message = phone.expectMessage("s", "c1");
			for (StompConnection device : List.of(phone, laptop)) {
				JsonNode accepted = accepted(device, "c1");
				assertThat(accepted.path("room").asString()).isEqualTo(room);
				assertThat(accepted.path("position")).isEqualTo(message.path("position"));
				assertThat(accepted.path("id")).isEqualTo(message.path("id"));
			}
			bert.expectReceipt(bert.say(room, "c2", "hello"));
			accepted(bert, "c2");
			assertThat(bert.events("me")).noneMatch((event) -> event.path("clientId").asString("").equals("c1"));
		}
	}

	@FanOut
	@Test
	void answersARetryWithTheOriginalAndDeliversOnce() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection again = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			String first = anna.say(room, "c1", "hello");
			String second = anna.say(room, "c1", "hello");
			anna.expectReceipt(first);
			anna.expectReceipt(second);
			again.expectReceipt(again.say(room, "c1", "hello"));
			long position = accepted(anna, "c1").path("position").asLong();
			assertThat(this.server.user("anna").say(room, "c1", "hello")).isEqualTo(position);
			anna.expectReceipt(anna.say(room, "c2", "end"));
			anna.expectMessage("s", "c2");
			assertThat(anna.events("me")).filteredOn((event) -> event.path("clientId").asString("").equals("c1"))
				.allMatch((event) -> event.path("position").asLong() == position);
			assertThat(anna.events("s").stream().map((event) -> event.path("clientId").asString("")))
				.containsExactly("", "c1", "c2");
			assertThat(this.server.user("anna").history(room, "").stream().skip(1))
				.extracting((event) -> event.path("clientId").asString())
				.containsExactly("c1", "c2");
		}
	}

	@FanOut
	@Test
	void distinguishesEqualClientIdsOfTwoUsersAndTwoRooms() {
		String room = this.server.room("anna", "bert");
		String other = this.server.room("anna");
		long one = this.server.user("anna").say(room, "same", "a");
		assertThat(this.server.user("bert").say(room, "same", "b")).isGreaterThan(one);
		this.server.user("anna").say(other, "same", "c");
		assertThat(this.server.user("anna").history(other, "?limit=1").getFirst().path("text").asString())
			.isEqualTo("c");
	}

	@FanOut
	@Test
	void keepsUnknownFields() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send"),
					"""
							{"clientId":"c1","text":"hi","level":7,"replyTo":null,"mood":{"emoji":"😀","list":[1,2.5,null,true]}}""");
			JsonNode live = anna.expectMessage("s", "c1");
			JsonNode stored = this.server.user("anna").history(room, "?limit=1").getFirst();
			for (JsonNode event : List.of(live, stored)) {
				assertThat(event.path("level").asInt()).isEqualTo(7);
				assertThat(event.has("replyTo")).isFalse();
				assertThat(event.path("mood")).hasToString("{\"emoji\":\"😀\",\"list\":[1,2.5,null,true]}");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "type", "room", "position", "prev", "number", "id", "sender", "sentAt", "replyTo",
			"thread", "mentions", "attachments", "format", "target", "changed" })
	void refusesReservedFields(String field) {
		JsonNode error = expectError("{\"clientId\":\"c1\",\"text\":\"hi\",\"" + field + "\":\"x\"}");
		assertThat(error.path("code").asString()).isEqualTo("bad-message");
		assertThat(error.path("clientId").asString()).isEqualTo("c1");
		assertThat(error.path("message").asString()).contains(field);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "no json", "[]", "\"text\"", "null", "{", "{}", "{\"clientId\":\"c1\"}",
			"{\"text\":\"hi\"}", "{\"clientId\":\"\",\"text\":\"hi\"}", "{\"clientId\":\"c1\",\"text\":\"\"}",
			"{\"clientId\":1,\"text\":\"hi\"}", "{\"clientId\":\"c1\",\"text\":[\"hi\"]}",
			"{\"clientId\":\"c1\",\"text\":\"hi\"} trailing" })
	void refusesInvalidMessages(String body) {
		assertThat(expectError(body).path("code").asString()).isEqualTo("bad-message");
	}

	@Test
	void refusesALongClientId() {
		assertThat(expectError("{\"clientId\":\"" + "x".repeat(65) + "\",\"text\":\"hi\"}").path("code").asString())
			.isEqualTo("bad-message");
	}

	@Test
	void refusesNonMembers() {
		String room = this.server.room("anna");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			JsonNode error = bert.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}");
			assertThat(error.path("code").asString()).isEqualTo("not-a-member");
			assertThat(error.path("clientId").asString()).isEqualTo("c1");
			assertThat(error.path("destination").asString()).isEqualTo("/app/rooms." + room + ".send");
		}
		assertThat(this.server.user("anna").history(room, "")).hasSize(1);
	}

	@FanOut
	@ParameterizedTest
	@ValueSource(strings = { "emoji 👩‍👩‍👧‍👦🏳️‍🌈", "combining e\u0301 a\u0308\u0323 Z\u0351\u036b",
			"العربية עברית", "漢字かな交じり文", "quotes \" \\ / \b\f\n\r\t", "\u0001\u001f\u007f\u2028\u2029\ufeff\uffff",
			"<script>&amp;</script>" })
	void keepsEveryCharacter(String text) {
		roundTrip(text);
	}

	private void roundTrip(String text) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			anna.expectReceipt(anna.say(room, "c1", text));
			assertThat(anna.expectMessage("s", "c1").path("text").asString()).isEqualTo(text);
			assertThat(this.server.user("anna").history(room, "?limit=1").getFirst().path("text").asString())
				.isEqualTo(text);
		}
	}

	@FanOut
	@Test
	void readsTheBodyPastANulWithAContentLength() {
		String room = this.server.room("anna");
		String body = "{\"clientId\":\"c1\",\"text\":\"a\0b\"}";
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("SEND", Map.of("destination", "/app/rooms." + room + ".send",
					"content-length", String.valueOf(body.length())), body);
			assertThat(error.path("code").asString()).isEqualTo("bad-message");
			anna.expectReceipt(anna.say(room, "c2", "the session lives"));
		}
	}

	@FanOut
	@Test
	void acceptsBinaryFrames() {
		String room = this.server.room("anna");
		String text = "ü".repeat(6 * 1024);
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			String body = "{\"clientId\":\"c1\",\"text\":\"" + text + "\"}";
			anna.binary(("SEND\ndestination:/app/rooms." + room + ".send\nreceipt:bin\n\n" + body + "\0")
				.getBytes(StandardCharsets.UTF_8));
			anna.expectReceipt("bin");
			assertThat(anna.expectMessage("s", "c1").path("text").asString()).isEqualTo(text);
		}
	}

	/** With STOMP over WebSocket, a client may send a frame in several messages. */
	@FanOut
	@Test
	void treatsALoneLineEndAsPartOfAFrameOrAsAHeartBeat() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			for (String piece : new String[] { "\n", "SEND\ndestination:/app/rooms." + room + ".send\nreceipt:pieces",
					"\n", "\n", "{\"clientId\":\"c1\",", "\n", "\"text\":\"in pieces\"}", "\0\n", "\n", "\r\n" }) {
				anna.text(piece);
			}
			anna.expectReceipt("pieces");
			assertThat(anna.expectMessage("s", "c1").path("text").asString()).isEqualTo("in pieces");
			anna.expectReceipt(anna.say(room, "c2", "the next"));
		}
	}

	private JsonNode expectError(String body) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("/app/rooms." + room + ".send", body);
			anna.expectReceipt(anna.say(room, "alive", "the session lives"));
			return error;
		}
	}

	private static JsonNode accepted(StompConnection connection, String clientId) {
		return connection.expectEvent("me", (event) -> event.path("type").asString().equals("accepted")
				&& event.path("clientId").asString().equals(clientId));
	}

}
