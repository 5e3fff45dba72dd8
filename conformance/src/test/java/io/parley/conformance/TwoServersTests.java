package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions on two servers behave as if they were on one. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersTests extends DialectTests {

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	TwoServersTests() {
		super(servers.get());
	}

	@Test
	void closeTheSessionsOfAUserWhomTheOtherServerDisables() {
		Users users = new Users("disabled");
		ChatApi olga = this.one.anonymous().login("olga");
		try (StompConnection there = connect(this.two, users.first())) {
			olga.patch("/api/operator/users/disabled1", Map.of("state", "disabled")).expect(200);
			assertThat(there.expectClosed()).isEqualTo(4403);
		}
	}

	@Test
	void resumeOnTheOtherExactlyWhereTheyEnded() {
		Users users = new Users("moving");
		String room = users.room();
		long start = users.first().listed(room).path("head").asLong();
		List<JsonNode> received = new ArrayList<>();
		long last = start;
		for (int i = 0; i < 10; i++) {
			try (StompConnection moving = StompConnection.open((i % 2 == 0) ? this.one : this.two)
				.connect(users.second().token())) {
				assertThat(moving.follow("s", room, last).path("recovered").asBoolean()).isTrue();
				users.first().say(room, "seen" + i, "text");
				moving.expectMessage("s", "seen" + i);
				moving.abort();
				received.addAll(events(moving));
				last = received.getLast().path("position").asLong();
			}
			users.first().say(room, "missed" + i, "text");
		}
		assertThat(received).hasSize(19);
		Chain.assertUnbroken(received, start);
	}

	@Test
	void recognizeARetryOfAMessageThatTheOtherAccepted() {
		Users users = new Users("retry");
		String room = users.room();
		try (StompConnection here = connect(this.one, users.first());
				StompConnection there = connect(this.two, users.first())) {
			for (int i = 0; i < 10; i++) {
				here.expectReceipt(here.say(room, "c" + i, "text"));
				there.expectReceipt(there.say(room, "c" + i, "text"));
			}
		}
		assertThat(users.first().history(room, "").stream().skip(1))
			.extracting((event) -> event.path("clientId").asString())
			.containsExactlyElementsOf(IntStream.range(0, 10).mapToObj((i) -> "c" + i).toList());
	}

	@Test
	void endTheSubscriptionsOfAMemberRemovedOnTheOther() {
		Users users = new Users("removed");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			users.first().leave(room, "removed2").expect(204);
			users.first().say(room, "secret", "secret");
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			there.expectEvent("s", (event) -> event.path("type").asString().equals("member.left"));
			there.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
			assertThat(events(there)).extracting((event) -> event.path("type").asString())
				.containsExactly("member.left");
		}
	}

	@Test
	void applyABlockThatWasSetOnTheOther() {
		Users users = new Users("blocks");
		String room = users.first().openDirect("blocks2");
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().put("/api/blocks/blocks2", Map.of()).expect(204);
			expectRefusal(there, room, "send", "not-allowed");
		}
	}

	@Test
	void applyARoleThatWasGivenOnTheOther() {
		Users users = new Users("roles");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().changeRole(room, "roles2", "reader").expect(200);
			expectRefusal(there, room, "send", "not-allowed");
			expectRefusal(there, room, "typing", "not-allowed");
			there.expectEvent("me", (event) -> event.path("type").asString().equals("role.changed")
					&& event.path("role").asString().equals("reader"));
			users.first().changeRole(room, "roles2", "moderator").expect(200);
			ChatApi second = new ChatApi(this.two, "roles2", users.second().token());
			second.get("/api/rooms/" + room + "/bans").expect(200);
			there.expectEvent("me", (event) -> event.path("type").asString().equals("role.changed")
					&& event.path("role").asString().equals("moderator"));
			there.expectReceipt(there.say(room, "after", "text"));
		}
	}

	@Test
	void applyAMuteThatWasSetOnTheOther() {
		Users users = new Users("mutes");
		String room = users.room();
		String path = "/api/rooms/" + room + "/mutes/mutes2";
		try (StompConnection there = connect(this.two, users.second())) {
			there.expectReceipt(there.say(room, "before", "text"));
			users.first().put(path, Map.of("until", Instant.now().plusSeconds(3_600).toString())).expect(204);
			expectRefusal(there, room, "send", "muted");
			users.first().delete(path).expect(204);
			there.expectEvent("me",
					(event) -> event.path("type").asString().equals("role.changed") && !event.has("mutedUntil"));
			there.expectReceipt(there.say(room, "after", "text"));
		}
	}

	/** Well before the cache entry of the other server expires. */
	private static void expectRefusal(StompConnection session, String room, String action, String code) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.until(() -> session.refusal("/app/rooms." + room + "." + action, "{\"clientId\":\"c\",\"text\":\"t\"}"),
					code::equals);
	}

	@Test
	void endTheSubscriptionsOfAMemberBannedOnTheOther() {
		Users users = new Users("outlaw");
		String room = users.room();
		try (StompConnection there = connect(this.two, users.second())) {
			there.follow("s", room);
			users.first().put("/api/rooms/" + room + "/bans/outlaw2", Map.of()).expect(204);
			there.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			expectRefusal(there, room, "send", "not-a-member");
			users.first().say(room, "secret", "secret");
			there.confirmed("UNSUBSCRIBE", Map.of("id", "none"), "");
			assertThat(events(there)).extracting((event) -> event.path("type").asString())
				.containsExactly("member.left");
		}
	}

	@Test
	void keepAMemberOutWhoWasRemovedOnTheOther() {
		Users users = new Users("banned");
		String room = users.first().openChannel("banned", "banned2");
		users.first().leave(room, "banned2").expect(204);
		ChatApi there = new ChatApi(this.two, "banned2", users.second().token());
		assertThat(there.join(room, "banned2").expect(403).code()).isEqualTo("not-allowed");
	}

}
