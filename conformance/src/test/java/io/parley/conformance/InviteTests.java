package io.parley.conformance;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.UtcTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Invite links: {@code /api/rooms/{room}/invites} and {@code /api/invites/{token}}. */
@UnlimitedServer
class InviteTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	InviteTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	void letAUserJoin() {
		String room = this.server.room("anna");
		JsonNode invite = invite(room, Map.of());
		assertThat(invite.path("token").asString()).matches("[A-Za-z0-9_-]{22}");
		assertThat(Instant.parse(invite.path("expires").asString())).isBetween(Instant.now().plus(6, ChronoUnit.DAYS),
				Instant.now().plus(7, ChronoUnit.DAYS));
		JsonNode joined = redeem("bert", token(invite)).expect(201).body();
		assertThat(joined.path("id").asString()).isEqualTo(room);
		assertThat(joined.path("role").asString()).isEqualTo("member");
		assertThat(joined.path("members").size()).isEqualTo(2);
		assertThat(this.server.user("anna").history(room, "").getLast().path("type").asString())
			.isEqualTo("member.joined");
		this.server.user("bert").say(room, "c1", "text");
	}

	@Test
	void areListedWithoutTheirSecretAndRevoked() {
		String room = this.server.room("anna");
		JsonNode invite = invite(room, Map.of("uses", 5));
		redeem("bert", token(invite)).expect(201);
		ChatApi.Answer answer = this.server.user("anna").get("/api/rooms/" + room + "/invites").expect(200);
		assertThat(answer.response().body()).doesNotContain(token(invite));
		JsonNode listed = answer.body().get(0);
		assertThat(listed.path("id")).isEqualTo(invite.path("id"));
		assertThat(listed.path("uses").asInt()).isEqualTo(5);
		assertThat(listed.path("used").asInt()).isEqualTo(1);
		assertThat(listed.path("by").asString()).isEqualTo("anna");
		assertThat(this.jdbc.queryForList("SELECT secret_hash FROM room_invite WHERE room_id = ?", String.class, room))
			.doesNotContain(token(invite));
		String path = "/api/rooms/" + room + "/invites/" + invite.path("id").asString();
		String other = this.server.room("cleo");
		this.server.user("cleo").delete("/api/rooms/" + other + "/invites/" + invite.path("id").asString()).expect(204);
		assertThat(this.server.user("anna").get("/api/rooms/" + room + "/invites").expect(200).body().size())
			.isEqualTo(1);
		this.server.user("anna").delete(path).expect(204);
		this.server.user("anna").delete(path).expect(204);
		redeem("cleo", token(invite)).expect(404);
	}

	/** Wrong, expired, used up and revoked links look the same. */
	@Test
	void doNotRevealWhyTheyAreInvalid() {
		String room = this.server.room("anna");
		String usedUp = token(invite(room, Map.of("uses", 1)));
		redeem("bert", usedUp).expect(201);
		String expired = token(invite(room, Map.of()));
		this.jdbc.update("UPDATE room_invite SET expires_at = ? WHERE room_id = ? AND max_uses IS NULL",
				UtcTime.of(Instant.now().minusSeconds(1)), room);
		String wrong = refused("cleo", "AAAAAAAAAAAAAAAAAAAAAA");
		assertThat(wrong).contains("\"code\":\"not-found\"");
		for (String token : List.of(usedUp, expired, "x", "x".repeat(3_000), "%F0%9F%98%80")) {
			assertThat(refused("cleo", token)).isEqualTo(wrong);
		}
		assertThat(this.server.anonymous().exchange("POST", "/api/invites/" + usedUp, "").status()).isEqualTo(401);
	}

	private String refused(String user, String token) {
		return redeem(user, token).expect(404).response().body().replaceAll("\"instance\":\"[^\"]*\"", "");
	}

	@Test
	void areTakenByOneOfManyAtOnce() throws Exception {
		String room = this.server.room("anna");
		String token = token(invite(room, Map.of("uses", 1)));
		List<String> users = new ArrayList<>();
		for (int i = 0; i < 50; i++) {
			users.add("rusher" + i);
			this.server.user("rusher" + i);
		}
		List<Future<Integer>> joins = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			users.forEach((user) -> joins.add(threads.submit(() -> redeem(user, token).status())));
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> join : joins) {
			statuses.add(join.get());
		}
		assertThat(statuses).containsOnly(201, 404).filteredOn((status) -> status == 201).hasSize(1);
		assertThat(this.server.user("anna").get("/api/rooms/" + room).body().path("memberCount").asInt()).isEqualTo(2);
		assertThat(used(room)).isEqualTo(1);
	}

	@Test
	void areUsedOnceByAMemberWhoRepeatsTheRequest() {
		String room = this.server.room("anna");
		String token = token(invite(room, Map.of("uses", 1)));
		redeem("bert", token).expect(201);
		redeem("bert", token).expect(200);
		redeem("anna", token).expect(200);
		assertThat(used(room)).isEqualTo(1);
	}

	@Test
	void keepTheBannedOut() {
		String room = this.server.room("anna", "bert");
		String token = token(invite(room, Map.of("uses", 1)));
		this.server.user("anna").leave(room, "bert").expect(204);
		assertThat(redeem("bert", token).expect(403).code()).isEqualTo("not-allowed");
		assertThat(used(room)).isZero();
		this.server.user("anna").delete("/api/rooms/" + room + "/bans/bert").expect(204);
		redeem("bert", token).expect(201);
	}

	@Test
	void takeNoUseOfAFullRoom() {
		String room = this.server.user("anna")
			.post("/api/rooms", Map.of("name", "One", "kind", "group", "capacity", 1))
			.expect(201)
			.body()
			.path("id")
			.asString();
		String token = token(invite(room, Map.of("uses", 1)));
		assertThat(redeem("bert", token).expect(409).code()).isEqualTo("room-full");
		assertThat(used(room)).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"uses\":0}", "{\"uses\":-1}", "{\"uses\":10001}", "{\"uses\":1.5}", "{\"uses\":\"1\"}",
			"{\"expires\":\"2020-01-01T00:00:00Z\"}", "{\"expires\":\"2999-01-01T00:00:00Z\"}",
			"{\"expires\":\"soon\"}", "[]", "no json" })
	void areRefusedWithAnInvalidBody(String body) {
		String room = this.server.room("anna");
		assertThat(this.server.user("anna").exchange("POST", "/api/rooms/" + room + "/invites", body).status())
			.isEqualTo(400);
		assertThat(this.server.user("anna").get("/api/rooms/" + room + "/invites").body().size()).isZero();
	}

	@Test
	void haveALimitForEachRoom() throws Exception {
		String room = this.server.room("anna");
		List<Future<Integer>> calls = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 110; i++) {
				calls.add(threads
					.submit(() -> this.server.user("anna").post("/api/rooms/" + room + "/invites", Map.of()).status()));
			}
		}
		List<Integer> statuses = new ArrayList<>();
		for (Future<Integer> call : calls) {
			statuses.add(call.get());
		}
		assertThat(statuses).containsOnly(201, 403).filteredOn((status) -> status == 201).hasSize(100);
		this.jdbc.update("UPDATE room_invite SET expires_at = ? WHERE room_id = ?",
				UtcTime.of(Instant.now().minusSeconds(1)), room);
		invite(room, Map.of());
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM room_invite WHERE room_id = ?", Integer.class, room))
			.isEqualTo(1);
	}

	@Test
	void ofADemotedModeratorAreInvalid() {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		String token = token(
				this.server.user("bert").post("/api/rooms/" + room + "/invites", Map.of()).expect(201).body());
		this.server.user("anna").changeRole(room, "bert", "member").expect(200);
		assertThat(this.server.user("bert").post("/api/rooms/" + room + "/invites", Map.of()).expect(403).code())
			.isEqualTo("not-allowed");
		redeem("cleo", token).expect(404);
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		redeem("cleo", token).expect(201);
		this.server.user("anna").leave(room, "bert").expect(204);
		redeem("dora", token).expect(404);
	}

	@ParameterizedTest
	@ValueSource(strings = { "suspended", "disabled" })
	void ofAModeratorWhoseAccountIsNotActiveAreInvalid(String state) {
		String moderator = "moderator-" + state;
		String room = this.server.room("anna", moderator);
		this.server.user("anna").changeRole(room, moderator, "moderator").expect(200);
		String token = token(
				this.server.user(moderator).post("/api/rooms/" + room + "/invites", Map.of()).expect(201).body());
		changeState(moderator, state);
		redeem("cleo", token).expect(404);
		changeState(moderator, "active");
		redeem("cleo", token).expect(201);
	}

	private void changeState(String user, String state) {
		this.server.user("olga").patch("/api/operator/users/" + user, Map.of("state", state)).expect(200);
	}

	private JsonNode invite(String room, Map<String, ?> body) {
		return this.server.user("anna").post("/api/rooms/" + room + "/invites", body).expect(201).body();
	}

	private static String token(JsonNode invite) {
		return invite.path("token").asString();
	}

	private ChatApi.Answer redeem(String user, String token) {
		return this.server.user(user).post("/api/invites/" + token, Map.of());
	}

	private int used(String room) {
		Integer used = this.jdbc.queryForObject("SELECT SUM(uses) FROM room_invite WHERE room_id = ?", Integer.class,
				room);
		return (used != null) ? used : 0;
	}

}
