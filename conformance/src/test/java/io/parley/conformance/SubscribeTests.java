package io.parley.conformance;

import java.util.List;
import java.util.Map;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@Relay
@UnlimitedServer
class SubscribeTests {

	private final ChatServer server;

	private final MeterRegistry meters;

	SubscribeTests(ChatServer server, MeterRegistry meters) {
		this.server = server;
		this.meters = meters;
	}

	@Test
	void startsWithSubscribedAndTheHead() {
		String room = this.server.room("anna", "bert");
		long head = this.server.user("anna").say(room, "c1", "before");
		try (StompConnection bert = this.server.connect("bert")) {
			JsonNode subscribed = bert.follow("s", room);
			assertThat(subscribed.path("type").asString()).isEqualTo("subscribed");
			assertThat(subscribed.path("room").asString()).isEqualTo(room);
			assertThat(subscribed.path("head").asLong()).isEqualTo(head);
			assertThat(subscribed.path("recovered").asBoolean()).isTrue();
			this.server.user("anna").say(room, "c2", "after");
			JsonNode first = bert.expectMessage("s", "c2");
			assertThat(first.path("prev").asLong()).isEqualTo(head);
			assertThat(bert.events("s")).hasSize(2);
		}
	}

	@Test
	void givesEachMessageItsPositionInHeadersAndBody() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			anna.expectReceipt(anna.say(room, "c1", "hello"));
			Frame message = anna.expect((frame) -> frame.isMessageOf("s") && frame.body().contains("message.posted"));
			JsonNode event = message.json();
			assertThat(message.header("destination")).isEqualTo("/topic/rooms." + room);
			assertThat(message.header("content-type")).startsWith("application/json");
			assertThat(message.header("message-id")).isNotEmpty();
			assertThat(message.header("position")).isEqualTo(event.path("position").asString());
			assertThat(message.header("prev")).isEqualTo(event.path("prev").asString());
			assertThat(event.path("room").asString()).isEqualTo(room);
			assertThat(event.path("sender").asString()).isEqualTo("anna");
			assertThat(event.path("clientId").asString()).isEqualTo("c1");
			assertThat(event.path("text").asString()).isEqualTo("hello");
			assertThat(event.path("id").asString()).isNotEmpty();
			assertThat(event.path("sentAt").asString()).endsWith("Z");
		}
	}

	@Test
	void isForMembersOnly() {
		String room = this.server.room("anna");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			for (String topic : List.of("/topic/rooms." + room, "/topic/rooms." + room + ".signals")) {
				JsonNode error = bert.expectError("SUBSCRIBE", Map.of("id", "s", "destination", topic), "");
				assertThat(error.path("code").asString()).isEqualTo("not-a-member");
			}
			this.server.user("anna").say(room, "c1", "secret");
			this.server.user("bert");
			assertThat(bert.events("s")).isEmpty();
		}
	}

	@Test
	void continuesForMembersWhenNonMembersAreRefused() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = this.server.connect("bert");
				StompConnection stranger = this.server.connectWithEvents("stranger")) {
			bert.follow("s", room);
			bert.subscribe("signals", "/topic/rooms." + room + ".signals");
			for (String topic : List.of("/topic/rooms." + room, "/topic/rooms." + room + ".signals")) {
				for (int i = 0; i < 5; i++) {
					stranger.expectError("SUBSCRIBE", Map.of("id", "s", "destination", topic), "");
				}
			}
			double late = late();
			this.server.user("anna").say(room, "c1", "still here");
			bert.expectMessage("s", "c1");
			assertThat(late()).as("delivered by the fallback").isEqualTo(late);
			bert.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			bert.expectEvent("signals", (event) -> event.path("type").asString().equals("typing"));
		}
	}

	/**
	 * Returns the number of frames that a broker did not deliver in time; 0 without a
	 * broker.
	 */
	private double late() {
		return this.meters.counter("chat.relay.late").count();
	}

	@Test
	void refusesAnIdThatIsInUse() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			assertThat(anna.expectError("SUBSCRIBE", Map.of("id", "s", "destination", "/topic/rooms." + room), "")
				.path("code")
				.asString()).isEqualTo("duplicate-subscription");
			anna.expectReceipt(anna.say(room, "c1", "still there"));
			anna.expectMessage("s", "c1");
		}
	}

	@Test
	void requiresAnId() {
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			for (Map<String, String> headers : List.of(Map.of("destination", "/user/queue/events"),
					Map.of("destination", "/user/queue/events", "id", "x".repeat(65)))) {
				assertThat(anna.expectError("SUBSCRIBE", headers, "").path("code").asString()).isEqualTo("bad-frame");
			}
		}
	}

	@Test
	void isSilentAfterTheReceiptOfUnsubscribe() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connect("anna"); StompConnection bert = this.server.connect("bert")) {
			for (int round = 0; round < 30; round++) {
				String id = "s" + round;
				bert.follow(id, room);
				anna.say(room, "a" + round, "one");
				anna.say(room, "b" + round, "two");
				bert.unsubscribe(id);
				int before = bert.events(id).size();
				anna.expectReceipt(anna.say(room, "c" + round, "three"));
				bert.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
				assertThat(bert.events(id)).hasSize(before);
			}
		}
	}

	@Test
	void deliversToEachOfManySubscriptions() {
		String room = this.server.room("anna");
		String other = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna"); StompConnection tablet = this.server.connect("anna")) {
			anna.follow("one", room);
			tablet.follow("two", room);
			anna.follow("other", other);
			anna.expectReceipt(anna.say(room, "c1", "hello"));
			assertThat(anna.expectMessage("one", "c1")).isEqualTo(tablet.expectMessage("two", "c1"));
			anna.expectReceipt(anna.say(other, "c2", "hello"));
			anna.expectMessage("other", "c2");
			assertThat(anna.events("other")).hasSize(2);
		}
	}

}
