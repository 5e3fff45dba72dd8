package io.parley.conformance;

import java.util.List;
import java.util.Map;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.FaultyLog;
import io.parley.server.testing.FaultyLog.Fault;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests the error that a client gets when the log fails, and the result of its retry. */
@UnlimitedServer
class LogFailureTests {

	private final ChatServer server;

	private final FaultyLog log;

	LogFailureTests(ChatServer server, FaultyLog log) {
		this.server = server;
		this.log = log;
	}

	@AfterEach
	void repair() {
		this.log.set(Fault.NONE);
	}

	@ParameterizedTest
	@CsvSource({ "REFUSES,log-unavailable,503", "LOSES_AND_DOES_NOT_KNOW,append-unknown,503", "THROWS,internal,500" })
	void isReportedByACodeAndTheSessionLives(Fault fault, String code, int status) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			this.log.set(fault);
			JsonNode error = anna.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}");
			assertThat(error.path("code").asString()).isEqualTo(code);
			assertThat(error.path("message").asString()).isNotBlank().doesNotContain("test", "Exception");
			ChatApi.Answer answer = this.server.user("anna")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c2", "text", "hi"));
			assertThat(answer.expect(status).code()).isEqualTo(code);
			assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
			this.log.set(Fault.NONE);
			anna.expectReceipt(anna.say(room, "c3", "again"));
			anna.expectMessage("s", "c3");
			assertThat(clientIds(anna.events("s"))).containsExactly("c3");
		}
		assertThat(clientIds(this.server.user("anna").history(room, ""))).containsExactly("c3");
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW" })
	void anUnknownOutcomeIsOneMessageInTheHistoryAfterTheRetry(Fault fault) {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			this.log.set(fault);
			assertThat(anna.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"c1\",\"text\":\"hi\"}")
				.path("clientId")
				.asString()).isEqualTo("c1");
			this.log.set(Fault.NONE);
			anna.expectReceipt(anna.say(room, "c1", "hi"));
			anna.expectReceipt(anna.say(room, "end", "end"));
			anna.expectMessage("s", "end");
			assertThat(clientIds(anna.events("s"))).contains("c1").endsWith("end");
		}
		assertThat(clientIds(this.server.user("anna").history(room, ""))).containsExactly("c1", "end");
	}

	@Test
	void aRefusedMessageIsNotPartOfTheChain() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			long start = anna.follow("s", room).path("head").asLong();
			for (int i = 0; i < 10; i++) {
				this.log.set(Fault.REFUSES);
				anna.expectError("/app/rooms." + room + ".send", "{\"clientId\":\"lost" + i + "\",\"text\":\"hi\"}");
				this.log.set(Fault.NONE);
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
			}
			anna.expectMessage("s", "c9");
			Chain.assertUnbroken(anna.events("s").stream().skip(1).toList(), start);
		}
	}

	@Test
	void acceptsAReceivedPositionBeyondTheReportedEnd() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection tablet = this.server.connect("anna")) {
			anna.follow("s", room);
			this.log.set(Fault.IS_BEHIND);
			for (int i = 0; i < 5; i++) {
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
				long position = anna.expectMessage("s", "c" + i).path("position").asLong();
				assertThat(tablet.follow("s" + i, room, position).path("recovered").asBoolean()).isTrue();
				tablet.unsubscribe("s" + i);
				anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
						"{\"position\":" + position + "}");
			}
		}
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "WRITES_AND_DOES_NOT_KNOW", "LOSES_AND_DOES_NOT_KNOW", "THROWS" })
	void aRemovalOfUnknownOutcomeEndsTheSubscriptionsAndIsSentByTheRetry(Fault fault) {
		String room = this.server.room("anna", "bert", "cleo");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			bert.subscribe("signals", "/topic/rooms." + room + ".signals");
			this.log.set(fault);
			this.server.user("anna").leave(room, "bert").expect((fault == Fault.THROWS) ? 500 : 503);
			this.log.set(Fault.NONE);
			bert.expectEvent("me", (event) -> isAbout(event, "room.removed", room));
			this.server.user("anna").say(room, "secret", "secret");
			this.server.user("anna").leave(room, "bert").expect(204);
			int expected = (fault == Fault.WRITES_AND_DOES_NOT_KNOW) ? 2 : 1;
			assertThat(leavings(room)).isEqualTo(expected);
			this.server.user("anna").leave(room, "bert").expect(204);
			assertThat(leavings(room)).isEqualTo(expected);
			assertThat(bert.expectError("/app/rooms." + room + ".typing", "{}").path("code").asString())
				.isEqualTo("not-a-member");
			assertThat(clientIds(bert.events("s"))).isEmpty();
		}
	}

	@Test
	void aLeaveOfUnknownOutcomeIsSentByTheRetry() {
		String room = this.server.channel("anna", "bert");
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		assertThat(this.server.user("bert").leave(room, "bert").expect(503).code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		this.server.user("bert").leave(room, "bert").expect(204);
		this.server.user("bert").leave(room, "bert").expect(204);
		assertThat(leavings(room)).isEqualTo(1);
		this.server.user("bert").join(room, "bert").expect(201);
	}

	@Test
	void aRemovalThatTheLogRefusesIsUndone() {
		String room = this.server.channel("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			this.log.set(Fault.REFUSES);
			assertThat(this.server.user("anna").leave(room, "bert").expect(503).code()).isEqualTo("log-unavailable");
			this.log.set(Fault.NONE);
			bert.expectReceipt(bert.say(room, "still here", "still here"));
			bert.expectMessage("s", "still here");
			this.server.user("bert").leave(room, "bert").expect(204);
			this.server.user("bert").join(room, "bert").expect(201);
		}
	}

	@Test
	void aRemovalThatIsRefusedAfterOneOfUnknownOutcomeStays() {
		String room = this.server.room("anna", "bert");
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		this.server.user("anna").leave(room, "bert").expect(503);
		this.log.set(Fault.REFUSES);
		assertThat(this.server.user("anna").leave(room, "bert").expect(503).code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		this.server.user("bert").get("/api/rooms/" + room).expect(403);
		this.server.user("anna").leave(room, "bert").expect(204);
		assertThat(leavings(room)).isEqualTo(1);
	}

	@Test
	void aJoinOfUnknownOutcomeIsSentByTheRetry() {
		String room = this.server.room("anna");
		this.server.user("bert");
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		assertThat(this.server.user("anna").join(room, "bert").expect(503).code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		this.server.user("anna").join(room, "bert").expect(200);
		this.server.user("anna").join(room, "bert").expect(200);
		assertThat(events(room, "member.joined")).isEqualTo(1);
	}

	@Test
	void aJoinThatTheLogRefusesIsUndoneAndKeepsTheBan() {
		String room = this.server.channel("anna", "bert");
		this.server.user("anna").leave(room, "bert").expect(204);
		this.log.set(Fault.REFUSES);
		this.server.user("anna").join(room, "bert").expect(503);
		this.log.set(Fault.NONE);
		assertThat(this.server.user("bert").join(room, "bert").expect(403).code()).isEqualTo("not-allowed");
	}

	@Test
	void aDirectRoomOfUnknownOutcomeIsSentByTheRetry() {
		this.server.user("emma");
		this.server.user("fred");
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		assertThat(this.server.user("emma")
			.post("/api/rooms", Map.of("kind", "direct", "members", List.of("fred")))
			.expect(503)
			.code()).isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		try (StompConnection emma = this.server.connectWithEvents("emma")) {
			String room = this.server.user("fred").openDirect("emma");
			emma.expectEvent("me", (event) -> isAbout(event, "room.added", room));
			assertThat(this.server.user("emma").openDirect("fred")).isEqualTo(room);
			assertThat(this.server.user("emma").history(room, "")).hasSize(1);
			this.log.set(Fault.REFUSES);
			assertThat(this.server.user("emma").openDirect("fred")).isEqualTo(room);
		}
	}

	@Test
	void aRefusedEventDoesNotRemoveAnExistingDirectRoom() {
		this.server.user("gina");
		this.server.user("hugo");
		this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
		Map<String, Object> direct = Map.of("kind", "direct", "members", List.of("hugo"));
		this.server.user("gina").post("/api/rooms", direct).expect(503);
		this.log.set(Fault.NONE);
		String room = this.server.user("gina").get("/api/rooms").expect(200).body().get(0).path("id").asString();
		this.log.set(Fault.REFUSES);
		this.server.user("gina").post("/api/rooms", direct).expect(503);
		this.log.set(Fault.NONE);
		assertThat(this.server.user("hugo").openDirect("gina")).isEqualTo(room);
	}

	@Test
	void anOwnerWhoseLeaveIsRefusedStaysTheOwner() {
		String room = this.server.room("anna", "bert");
		this.log.set(Fault.REFUSES);
		assertThat(this.server.user("anna").leave(room, "anna").expect(503).code()).isEqualTo("log-unavailable");
		this.log.set(Fault.NONE);
		assertThat(this.server.user("anna").listed(room).path("role").asString()).isEqualTo("owner");
		assertThat(this.server.user("bert").listed(room).path("role").asString()).isEqualTo("member");
	}

	@Test
	void anOwnerWhoseLeaveIsUnknownIsFollowed() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			this.log.set(Fault.LOSES_AND_DOES_NOT_KNOW);
			assertThat(this.server.user("anna").leave(room, "anna").expect(503).code()).isEqualTo("append-unknown");
			this.log.set(Fault.NONE);
			bert.expectEvent("me", (event) -> isAbout(event, "role.changed", room));
			assertThat(this.server.user("bert").listed(room).path("role").asString()).isEqualTo("owner");
		}
	}

	@Test
	void anInviteLinkKeepsItsUseWhenTheJoinIsRefused() {
		String room = this.server.room("anna");
		String token = this.server.user("anna")
			.post("/api/rooms/" + room + "/invites", Map.of("uses", 1))
			.expect(201)
			.body()
			.path("token")
			.asString();
		this.server.user("bert");
		this.log.set(Fault.REFUSES);
		this.server.user("bert").post("/api/invites/" + token, Map.of()).expect(503);
		this.log.set(Fault.NONE);
		assertThat(this.server.user("bert").join(room, "bert").expect(404).code()).isEqualTo("not-found");
		this.server.user("bert").post("/api/invites/" + token, Map.of()).expect(201);
	}

	@ParameterizedTest
	@EnumSource(value = Fault.class, names = { "REFUSES", "LOSES_AND_DOES_NOT_KNOW" })
	void aRoleAppliesAtOnceAndItsEventIsSentByTheRetry(Fault fault) {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		this.server.user("anna").changeRole(room, "bert", "member").expect(200);
		long before = events(room, "member.role");
		this.log.set(fault);
		assertThat(this.server.user("anna").changeRole(room, "bert", "reader").expect(503).code())
			.isEqualTo("append-unknown");
		this.log.set(Fault.NONE);
		assertThat(this.server.user("bert")
			.post("/api/rooms/" + room + "/messages", Map.of("clientId", "c", "text", "t"))
			.expect(403)
			.code()).isEqualTo("not-allowed");
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		assertThat(events(room, "member.role")).isEqualTo(before + 1);
		this.log.set(fault);
		this.server.user("anna").changeRole(room, "bert", "owner").expect(503);
		this.log.set(Fault.NONE);
		// A moderator now, who repeats what an owner did.
		this.server.user("anna").changeRole(room, "bert", "owner").expect(200);
		this.server.user("anna").changeRole(room, "bert", "owner").expect(403);
		assertThat(events(room, "member.role")).isEqualTo(before + 2);
	}

	private long leavings(String room) {
		return events(room, "member.left");
	}

	private long events(String room, String type) {
		return this.server.user("anna")
			.history(room, "")
			.stream()
			.filter((event) -> event.path("type").asString().equals(type))
			.count();
	}

	private static boolean isAbout(JsonNode event, String type, String room) {
		return event.path("type").asString().equals(type) && event.path("room").asString().equals(room);
	}

	private static List<String> clientIds(List<JsonNode> events) {
		return events.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("clientId").asString())
			.toList();
	}

}
