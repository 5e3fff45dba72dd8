package io.parley.conformance;

import java.util.List;
import java.util.Map;
import java.util.Random;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests destinations that clients may not use. */
@UnlimitedServer
class DestinationSecurityTests {

	private final ChatServer server;

	DestinationSecurityTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void nobodyBypassesTheLogBySendingToATopic() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			bert.follow("s", room);
			bert.subscribe("signals", "/topic/rooms." + room + ".signals");
			for (String topic : List.of("/topic/rooms." + room, "/topic/rooms." + room + ".signals")) {
				assertThat(anna.expectError(topic, "{\"type\":\"message.posted\"}").path("code").asString())
					.isEqualTo("bad-destination");
			}
			anna.expectReceipt(anna.say(room, "c1", "real"));
			bert.expectMessage("s", "c1");
			assertThat(bert.events("s")).hasSize(2);
			assertThat(bert.events("signals"))
				.noneMatch((event) -> event.path("type").asString().equals("message.posted"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/user/bert/queue/events", "/user/queue/events", "/queue/events", "/queue/events-user1",
			"/queue/x", "/topic/x" })
	void nobodyForgesTheEventsOfAnotherUser(String destination) {
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			assertThat(anna.expectError(destination, "{\"type\":\"forged\"}").path("code").asString())
				.isEqualTo("bad-destination");
			String room = this.server.room("bert");
			bert.expectReceipt(bert.say(room, "c1", "real"));
			bert.expectEvent("me", (event) -> event.path("type").asString().equals("accepted"));
			assertThat(bert.events("me")).noneMatch((event) -> event.path("type").asString().equals("forged"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/app/rooms.ROOM.send.x", "/app/rooms.ROOM", "/app/rooms.ROOM.SEND",
			"/app/rooms.ROOM/send", "/app/rooms.ROOM.send/", "/app//rooms.ROOM.send", "/app/./rooms.ROOM.send",
			"/app/rooms.ROOM.pins", "/app/rooms%2EROOM.send", "/app/rooms.ROOM.se%6Ed", "/app/rooms.ROOM.send;a=b",
			"/app/rooms.ROOM.ſend", "/app/rooms․ROOM․send", "/app/rooms.ROOM.send ", " /app/rooms.ROOM.send",
			"/APP/rooms.ROOM.send", "app/rooms.ROOM.send", "/app", "/app/", "/app/token/x", "/app/token.x",
			"/app/rooms.*.send", "/app/rooms.{room}.send", "/app/rooms.ROOM.send\n", "/app/rooms.ROOM.send\r\nx",
			"/app/rooms.ROOM\\c.send", "/app/../topic/rooms.ROOM", "" })
	void sendRefusesSimilarDestinations(String pattern) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			JsonNode error = anna.expectError(pattern.replace("ROOM", room), "{\"clientId\":\"x\",\"text\":\"hi\"}");
			assertThat(error.path("code").asString()).isEqualTo("bad-destination");
			anna.expectReceipt(anna.say(room, "c1", "real"));
			anna.expectMessage("s", "c1");
			assertThat(anna.events("s")).hasSize(2);
		}
	}

	@Test
	void sendWithoutADestinationIsRefused() {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			assertThat(anna.expectError("SEND", Map.of("x", "y"), "{}").path("code").asString())
				.isEqualTo("bad-destination");
			assertThat(anna.expectError("SUBSCRIBE", Map.of("id", "s"), "").path("code").asString())
				.isEqualTo("bad-destination");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "/queue/events-userabc", "/queue/x", "/user/bert/queue/events", "/user/queue/other",
			"/user/queue/events/", "/user/queue/*", "/user/**", "/exchange/amq.topic/#", "/amq/queue/x",
			"/temp-queue/x", "/reply-queue/x", "/topic/rooms.ROOM.signals.x", "/topic/rooms.ROOM.x",
			"/topic/user.anna.events" })
	void nobodyReadsRawQueuesOrThoseOfOthers(String pattern) {
		assertNoSubscription(pattern);
	}

	@ParameterizedTest
	@ValueSource(strings = { "/topic/**", "/topic/*", "/topic/rooms.*", "/topic/rooms.**", "/topic/rooms.#", "/topic/#",
			"/topic/>", "/topic/rooms.>", "/topic/rooms.?", "/topic/rooms.{room}", "/topic/rooms.{room:.*}",
			"/topic/rooms.ROOM,rooms.x", "/topic/rooms.[a-z]", "/topic/rooms.%2A", "/topic/rooms.ROOM*",
			"/topic/rooms.", "/topic/rooms", "/topic/rooms.ROOM?consumer.prefetch=1", "/topic/rooms.ROOM/x", "**", "*",
			"/**", "" })
	void nobodySubscribesByAPattern(String pattern) {
		assertNoSubscription(pattern);
	}

	private void assertNoSubscription(String pattern) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("SUBSCRIBE",
					Map.of("id", "s", "destination", pattern.replace("ROOM", room)), "");
			assertThat(error.path("code").asString()).isEqualTo("bad-destination");
			anna.expectReceipt(anna.say(room, "c1", "secret"));
			assertThat(anna.events("s")).isEmpty();
		}
	}

	@Test
	void refusesSelectors() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			JsonNode error = anna.expectError("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room,
					"selector", "T(java.lang.Runtime).getRuntime().exec('true')"), "");
			assertThat(error.path("code").asString()).isEqualTo("bad-frame");
		}
	}

	@Test
	void brokerHeadersOfClientsGoNoFurther() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connect("bert")) {
			bert.confirmed("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room, "auto-delete", "true",
					"durable", "true", "x-queue-name", "stolen", "ack", "client-individual"), "");
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".send", "x-expires", "1", "reply-to",
					"/queue/x", "user-id", "bert", "persistent", "true", "simpSessionId", "x"), """
							{"clientId":"c1","text":"hi"}""");
			bert.expectMessage("s", "c1");
			Frame message = bert.expect((frame) -> frame.isMessageOf("s") && frame.body().contains("message.posted"));
			assertThat(message.headers().keySet()).isSubsetOf("subscription", "destination", "message-id", "position",
					"prev", "content-type", "content-length");
		}
	}

	@Test
	void invalidRoomNamesAreRefused() {
		Random random = new Random(7);
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			for (int i = 0; i < 200; i++) {
				String room = randomName(random);
				String code = anna
					.expectError("SUBSCRIBE", Map.of("id", "s" + i, "destination", "/topic/rooms." + room), "")
					.path("code")
					.asString();
				boolean inGrammar = room.matches("[A-Za-z0-9_-]{1,64}(\\.signals)?");
				assertThat(code).as("room '%s'", room).isEqualTo(inGrammar ? "not-a-member" : "bad-destination");
			}
		}
	}

	private static String randomName(Random random) {
		String alphabet = "aZ9_-.*#>?{}[]%/\\ :;,$é漢\u0000\u2028\u0430";
		StringBuilder name = new StringBuilder();
		int length = (random.nextInt(5) != 0) ? 1 + random.nextInt(4) : 60 + random.nextInt(10);
		boolean plain = random.nextInt(3) == 0;
		for (int i = 0; i < length; i++) {
			name.append(alphabet.charAt(random.nextInt(plain ? 5 : alphabet.length())));
		}
		return name.toString().replace("\u0000", "~");
	}

}
