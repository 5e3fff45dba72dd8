package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.FaultyLog;
import io.parley.server.testing.FaultyLog.Fault;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Tests pinned messages, over STOMP and HTTP. */
@UnlimitedServer
class PinTests {

	private final ChatServer server;

	private final FaultyLog log;

	PinTests(ChatServer server, FaultyLog log) {
		this.server = server;
		this.log = log;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
	}

	private static long position(ChatApi.Answer answer) {
		return answer.expect(202).body().path("position").asLong();
	}

	private static List<Long> pinned(ChatApi user, String room) {
		return user.pins(room).stream().map((message) -> message.path("position").asLong()).toList();
	}

	@FanOut
	@Test
	void isDeliveredOnceAndShown() {
		String room = this.server.room("anna", "bert");
		ChatApi bert = this.server.user("bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection session = this.server.connect("bert")) {
			long start = session.follow("s", room).path("head").asLong();
			long target = this.server.user("anna").say(room, "c1", "text");
			anna.expectReceipt(anna.pin(room, "p1", target, true));
			anna.expectReceipt(anna.pin(room, "p1", target, true));
			JsonNode pin = session.expectEvent("s", (event) -> event.path("type").asString().equals("pin.changed"));
			assertThat(pin.path("target").asLong()).isEqualTo(target);
			assertThat(pin.path("on").asBoolean()).isTrue();
			assertThat(pin.path("sender").asString()).isEqualTo("anna");
			assertThat(pin.path("clientId").asString()).isEqualTo("p1");
			JsonNode view = bert.view(room, "").getLast();
			assertThat(view.path("pinned").asBoolean()).isTrue();
			assertThat(view.path("changed").asLong()).isEqualTo(pin.path("position").asLong());
			assertThat(bert.pins(room)).containsExactly(view);
			JsonNode end = this.server.user("anna").pin(room, target, false).expect(202).body();
			this.server.user("anna").say(room, "end", "end");
			session.expectMessage("s", "end");
			List<JsonNode> events = session.events("s").stream().skip(1).toList();
			Chain.assertUnbroken(events, start);
			assertThat(events).extracting((event) -> event.path("type").asString())
				.containsExactly("message.posted", "pin.changed", "pin.changed", "message.posted");
			assertThat(end.path("id")).isEqualTo(events.get(2).path("id"));
			assertThat(end.has("clientId") || events.get(2).has("clientId")).isFalse();
			assertThat(anna.events("me")
				.stream()
				.filter((event) -> event.path("clientId").asString("").equals("p1"))
				.map((event) -> event.path("position").asLong())
				.distinct()).containsExactly(pin.path("position").asLong());
			assertThat(bert.pins(room)).isEmpty();
			assertThat(bert.view(room, "&before=" + end.path("position")).getLast().has("pinned")).isFalse();
			List<JsonNode> feed = bert.history(room, "?after=" + start);
			assertThat(feed.get(1).path("superseded").asBoolean()).isTrue();
			assertThat(feed.get(2).path("on").asBoolean(true)).isFalse();
			assertThat(feed).extracting((event) -> event.path("number").asInt()).containsExactly(1, 1, 1, 2);
			assertThat(bert.listed(room).path("unread").asInt()).isEqualTo(2);
			assertThat(new MessageCopy().events(events).messages())
				.isEqualTo(new MessageCopy().views(bert.view(room, "")).messages());
		}
	}

	@Test
	void theListHasTheNewestPinFirstInTheCurrentState() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long first = anna.say(room, "c1", "first");
		long second = anna.say(room, "c2", "second");
		long third = anna.say(room, "c3", "third");
		long reply = position(anna.post("/api/rooms/" + room + "/threads/" + first + "/messages",
				Map.of("clientId", "r1", "text", "reply")));
		for (long message : List.of(second, third, first, reply)) {
			anna.pin(room, message, true).expect(202);
		}
		assertThat(pinned(anna, room)).containsExactly(reply, first, third, second);
		anna.edit(room, third, "e1", "edited").expect(202);
		anna.react(room, second, ":a:", true).expect(202);
		anna.pin(room, second, false).expect(202);
		anna.pin(room, second, true).expect(202);
		List<JsonNode> pins = this.server.user("bert").pins(room);
		assertThat(pins).extracting((message) -> message.path("position").asLong())
			.containsExactly(second, reply, first, third);
		assertThat(pins).allMatch((message) -> message.path("pinned").asBoolean());
		assertThat(pins.getFirst().at("/reactions/:a:/n").asInt()).isEqualTo(1);
		assertThat(pins.get(1).path("type").asString()).isEqualTo("thread.posted");
		assertThat(pins.get(1).path("thread").asLong()).isEqualTo(first);
		assertThat(pins.get(2).at("/thread/replies").asInt()).isEqualTo(1);
		assertThat(pins.getLast().path("text").asString()).isEqualTo("edited");
		assertThat(anna.history(room, "").getLast().path("type").asString()).isEqualTo("pin.changed");
		assertThat(anna.view(room, "&changedAfter=" + reply)).extracting((view) -> view.path("position").asLong())
			.contains(first, second, third, reply);
	}

	@Test
	void aRepeatWritesNothingAndNamesTheSamePosition() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		String path = "/api/rooms/" + room + "/messages/" + target + "/pin";
		assertThat(position(anna.pin(room, target, false))).isEqualTo(target);
		ChatApi.Answer pin = anna.put(path, Map.of("clientId", "p1")).expect(202);
		for (ChatApi.Answer repeat : List.of(anna.put(path, Map.of("clientId", "p1")),
				anna.put(path, Map.of("clientId", "p2")), anna.pin(room, target, true))) {
			assertThat(position(repeat)).isEqualTo(position(pin));
			assertThat(repeat.body().path("id")).isEqualTo(pin.body().path("id"));
		}
		long end = position(anna.pin(room, target, false));
		assertThat(position(anna.pin(room, target, false))).isEqualTo(end);
		assertThat(position(anna.put(path, Map.of("clientId", "p1")))).as("late").isEqualTo(position(pin));
		assertThat(position(anna.put(path, Map.of("clientId", "p2")))).as("late").isEqualTo(position(pin));
		assertThat(anna.history(room, "?after=" + target)).extracting((event) -> event.path("position").asLong())
			.containsExactly(position(pin), end);
		assertThat(anna.pins(room)).isEmpty();
		assertThat(anna.put(path, Map.of("clientId", "c1")).expect(400).code()).isEqualTo("bad-message");
	}

	@FanOut
	@Test
	void thePinEndsWithTheMessage() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long kept = anna.say(room, "c1", "kept");
		long target = anna.say(room, "c2", "text");
		anna.pin(room, kept, true).expect(202);
		anna.pin(room, target, true).expect(202);
		anna.deleteMessage(room, target).expect(202);
		assertThat(pinned(anna, room)).containsExactly(kept);
		assertThat(anna.view(room, "").getLast().has("pinned")).isFalse();
		assertThat(anna.pin(room, target, true).expect(409).code()).isEqualTo("message-deleted");
		assertThat(anna.pin(room, target, false).expect(409).code()).isEqualTo("message-deleted");
		List<JsonNode> feed = anna.history(room, "?after=" + target);
		assertThat(feed).extracting((event) -> event.path("superseded").asBoolean(false))
			.containsExactly(false, true, false);
		assertThat(new MessageCopy().events(anna.history(room, "")).messages())
			.isEqualTo(new MessageCopy().views(anna.view(room, "")).messages());
	}

	@Test
	void membersPinWhereTheRoomLetsThem() {
		String room = this.server.room("anna", "bert", "cleo", "dora");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long target = bert.say(room, "c1", "text");
		assertThat(bert.pin(room, target, true).expect(403).code()).isEqualTo("not-allowed");
		anna.changeRole(room, "cleo", "moderator").expect(200);
		anna.changeRole(room, "dora", "reader").expect(200);
		this.server.user("cleo").pin(room, target, true).expect(202);
		assertThat(bert.pin(room, target, false).expect(403).code()).isEqualTo("not-allowed");
		anna.patch("/api/rooms/" + room, Map.of("memberPins", true)).expect(200);
		bert.pin(room, target, false).expect(202);
		assertThat(this.server.user("dora").pin(room, target, true).expect(403).code()).isEqualTo("not-allowed");
		assertThat(this.server.user("dora").pins(room)).isEmpty();
		anna.put("/api/rooms/" + room + "/mutes/bert",
				Map.of("until", java.time.Instant.now().plusSeconds(600).toString()))
			.expect(204);
		assertThat(bert.pin(room, target, true).expect(403).code()).isEqualTo("muted");
		anna.delete("/api/rooms/" + room + "/mutes/bert").expect(204);
		anna.patch("/api/rooms/" + room, Map.of("memberPins", false)).expect(200);
		assertThat(bert.pin(room, target, true).expect(403).code()).isEqualTo("not-allowed");
		this.server.user("eva");
		assertThat(this.server.user("eva").pin(room, target, true).expect(403).code()).isEqualTo("not-a-member");
		assertThat(this.server.user("eva").get("/api/rooms/" + room + "/pins").expect(403).code())
			.isEqualTo("not-a-member");
	}

	@Test
	void bothUsersPinInADirectRoom() {
		this.server.user("bert");
		String room = this.server.user("anna").openDirect("bert");
		long target = this.server.user("anna").say(room, "d" + System.nanoTime(), "text");
		this.server.user("bert").pin(room, target, true).expect(202);
		this.server.user("anna").pin(room, target, false).expect(202);
	}

	@Test
	void aRoomHasAtMostAHundredPins() throws Exception {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		List<Long> messages = IntStream.range(0, 110).mapToObj((i) -> anna.say(room, "c" + i, "text")).toList();
		try (StompConnection session = this.server.connectWithEvents("anna")) {
			List<String> receipts = new ArrayList<>();
			for (long message : messages.subList(0, 99)) {
				receipts.add(session.pin(room, "p" + message, message, true));
			}
			session.expectReceipts(receipts);
		}
		List<Future<ChatApi.Answer>> pins = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (long message : messages.subList(99, 110)) {
				pins.add(threads.submit(() -> anna.pin(room, message, true)));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<ChatApi.Answer> pin : pins) {
			statuses.add(pin.get().status());
			assertThat(pin.get().status() == 202 || pin.get().code().equals("too-many-pins")).isTrue();
		}
		assertThat(statuses).containsOnly(202, 409).containsOnlyOnce(202);
		assertThat(pinned(anna, room)).hasSize(100).endsWith(messages.getFirst());
		anna.pin(room, messages.getFirst(), true).expect(202);
		anna.deleteMessage(room, messages.getFirst()).expect(202);
		anna.pin(room, messages.get(1), false).expect(202);
		List<Long> free = messages.stream()
			.skip(99)
			.filter((message) -> !pinned(anna, room).contains(message))
			.toList();
		anna.pin(room, free.get(0), true).expect(202);
		anna.pin(room, free.get(1), true).expect(202);
		assertThat(anna.pin(room, free.get(2), true).expect(409).code()).isEqualTo("too-many-pins");
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW", "REFUSES" })
	void canBeRepeatedWhenTheLogDidNotConfirm(Fault fault) {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		String path = "/api/rooms/" + room + "/messages/" + target + "/pin";
		this.log.set(fault);
		assertThat(anna.put(path, Map.of("clientId", "p1")).expect(503).code())
			.isEqualTo((fault == Fault.REFUSES) ? "log-unavailable" : "append-unknown");
		this.log.set(Fault.NONE);
		anna.put(path, Map.of("clientId", "p1")).expect(202);
		await().untilAsserted(() -> assertThat(pinned(anna, room)).containsExactly(target));
		assertThat(anna.history(room, "?after=" + target)).hasSize(1);
	}

	@Test
	void findsItsOwnPinOnALogThatIsBehind() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		this.log.set(Fault.IS_BEHIND);
		long pin = position(anna.pin(room, target, true));
		assertThat(position(anna.pin(room, target, true))).isEqualTo(pin);
		assertThat(position(anna.pin(room, target, false))).isGreaterThan(pin);
	}

	@Test
	void refusesWhatIsNoPin() {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "text");
		long other = anna.say(this.server.room("anna"), "c1", "text");
		try (StompConnection session = this.server.connectWithEvents("anna")) {
			for (String body : List.of("[]", "{", "{}", "{\"target\":" + target + "}", "{\"on\":true}",
					"{\"target\":" + target + ",\"on\":null}", "{\"target\":" + target + ",\"on\":1}",
					"{\"target\":\"" + target + "\",\"on\":true}", "{\"target\":1.5,\"on\":true}",
					"{\"target\":" + target + ",\"on\":true,\"key\":\":a:\"}",
					"{\"target\":" + target + ",\"on\":true,\"clientId\":\"\"}")) {
				assertThat(session.expectError("/app/rooms." + room + ".pin", body).path("code").asString()).as(body)
					.isEqualTo("bad-message");
			}
			JsonNode missing = session.expectError("/app/rooms." + room + ".pin",
					"{\"target\":" + other + ",\"on\":true,\"clientId\":\"p9\"}");
			assertThat(missing.path("code").asString()).isEqualTo("not-found");
			assertThat(missing.path("clientId").asString()).isEqualTo("p9");
		}
		String path = "/api/rooms/" + room + "/messages/";
		for (long position : List.of(0L, -1L, target - 1, Long.MAX_VALUE)) {
			assertThat(anna.pin(room, position, true).expect(404).code()).isEqualTo("not-found");
		}
		assertThat(anna.put(path + "x/pin", Map.of()).expect(400).code()).isEqualTo("bad-request");
		assertThat(anna.put(path + target + "/pin", Map.of("on", true)).expect(400).code()).isEqualTo("bad-message");
		assertThat(anna.exchange("PUT", path + target + "/pin", "x".repeat(20_000)).expect(413).code())
			.isEqualTo("message-too-large");
		assertThat(
				anna.post(path.substring(0, path.length() - 1), Map.of("clientId", "c2", "text", "t", "pinned", true))
					.expect(400)
					.code())
			.isEqualTo("bad-message");
		assertThat(anna.pins(room)).isEmpty();
	}

}
