package io.parley.conformance;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

import io.parley.server.account.AccountDisabled;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.ApplicationEventPublisher;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** The rights of each role in a room, over HTTP and STOMP. */
@UnlimitedServer
class RoleTests {

	private static final List<String> ROLES = List.of("reader", "member", "moderator", "owner");

	private static final String LATER = Instant.now().plus(1, ChronoUnit.HOURS).toString();

	private final ChatServer server;

	private final ApplicationEventPublisher events;

	private final JdbcTemplate jdbc;

	RoleTests(ChatServer server, ApplicationEventPublisher events, JdbcTemplate jdbc) {
		this.server = server;
		this.events = events;
		this.jdbc = jdbc;
	}

	/** Creates a room with one user of each role, named like the role. */
	private String roomOfAllRoles() {
		String room = this.server.room("owner", "moderator", "member", "reader");
		this.server.user("owner").changeRole(room, "moderator", "moderator").expect(200);
		this.server.user("owner").changeRole(room, "reader", "reader").expect(200);
		return room;
	}

	/** The actions, with the roles that may and the status of success. */
	private static final List<Action> ACTIONS = List.of(new Action("GET", "/api/rooms/{room}", "", 200, ROLES),
			new Action("GET", "/api/rooms/{room}/members", "", 200, ROLES),
			new Action("GET", "/api/rooms/{room}/messages", "", 200, ROLES),
			new Action("PUT", "/api/rooms/{room}/read", "{\"position\":0}", 204, ROLES),
			new Action("PUT", "/api/rooms/{room}/notifications", "{}", 200, ROLES),
			new Action("POST", "/api/rooms/{room}/messages", "{\"clientId\":\"c\",\"text\":\"t\"}", 202,
					ROLES.subList(1, 4)),
			new Action("POST", "/api/rooms/{room}/members", "{\"username\":\"guest\"}", 201, ROLES.subList(1, 4)),
			new Action("GET", "/api/rooms/{room}/bans", "", 200, ROLES.subList(2, 4)),
			new Action("PUT", "/api/rooms/{room}/bans/guest", "{}", 204, ROLES.subList(2, 4)),
			new Action("DELETE", "/api/rooms/{room}/bans/guest", "", 204, ROLES.subList(2, 4)),
			new Action("GET", "/api/rooms/{room}/invites", "", 200, ROLES.subList(2, 4)),
			new Action("POST", "/api/rooms/{room}/invites", "{}", 201, ROLES.subList(2, 4)),
			new Action("DELETE", "/api/rooms/{room}/invites/x", "", 204, ROLES.subList(2, 4)),
			new Action("PUT", "/api/rooms/{room}/mutes/target", "{\"until\":\"" + LATER + "\"}", 204,
					ROLES.subList(2, 4)),
			new Action("DELETE", "/api/rooms/{room}/mutes/target", "", 204, ROLES.subList(2, 4)),
			new Action("PUT", "/api/rooms/{room}/slow-mode", "{\"seconds\":60}", 204, ROLES.subList(2, 4)),
			new Action("GET", "/api/rooms/{room}/reports", "", 200, ROLES.subList(2, 4)),
			new Action("PUT", "/api/rooms/{room}/members/target", "{\"role\":\"reader\"}", 200, ROLES.subList(2, 4)),
			new Action("PUT", "/api/rooms/{room}/members/target", "{\"role\":\"moderator\"}", 200, ROLES.subList(3, 4)),
			new Action("PUT", "/api/rooms/{room}/members/target", "{\"role\":\"owner\"}", 200, ROLES.subList(3, 4)),
			new Action("DELETE", "/api/rooms/{room}/members/target", "", 204, ROLES.subList(2, 4)),
			new Action("DELETE", "/api/rooms/{room}/members/moderator", "", 204, List.of("moderator", "owner")),
			new Action("DELETE", "/api/rooms/{room}/members/owner", "", 204, List.of("owner")),
			new Action("PUT", "/api/rooms/{room}/mutes/moderator", "{\"until\":\"" + LATER + "\"}", 204,
					List.of("owner")),
			new Action("PUT", "/api/rooms/{room}/bans/moderator", "{}", 204, List.of("owner")),
			new Action("PUT", "/api/rooms/{room}/bans/owner", "{}", 204, List.of()),
			new Action("PUT", "/api/rooms/{room}/mutes/owner", "{\"until\":\"" + LATER + "\"}", 204, List.of()));

	private record Action(String method, String path, String body, int success, List<String> roles) {
	}

	static Stream<Arguments> overHttp() {
		return ACTIONS.stream().flatMap((action) -> ROLES.stream().map((role) -> Arguments.of(action, role)));
	}

	@ParameterizedTest
	@MethodSource
	void overHttp(Action action, String role) {
		this.server.user("guest");
		String room = roomOfAllRoles();
		this.server.user("target");
		this.server.user("owner").join(room, "target").expect(201);
		ChatApi.Answer answer = this.server.user(role)
			.exchange(action.method(), action.path().replace("{room}", room), action.body());
		if (action.roles().contains(role)) {
			answer.expect(action.success());
		}
		else {
			assertThat(answer.status()).as("%s", answer.response().body()).isIn(400, 403);
			assertThat(answer.code()).isEqualTo((answer.status() == 403) ? "not-allowed" : "bad-request");
		}
		assertOneOwner(room);
	}

	private void assertOneOwner(String room) {
		assertThat(this.jdbc.queryForList("SELECT username FROM room_member WHERE room_id = ? AND role = 'owner'",
				String.class, room))
			.hasSize(1);
	}

	@FanOut
	@ParameterizedTest
	@ValueSource(strings = { "reader", "member", "moderator", "owner" })
	void overStomp(String role) {
		String room = roomOfAllRoles();
		boolean speaks = !role.equals("reader");
		try (StompConnection session = this.server.connectWithEvents(role)) {
			session.follow("s", room);
			session.subscribe("signals", "/topic/rooms." + room + ".signals");
			session.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"), "{\"position\":0}");
			if (speaks) {
				session.expectReceipt(session.say(room, "c1", "text"));
				session.expectMessage("s", "c1");
				session.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "{}");
			}
			else {
				assertThat(sendError(session, room, "send").path("clientId").asString()).isEqualTo("c");
				assertThat(sendError(session, room, "send").path("code").asString()).isEqualTo("not-allowed");
				assertThat(sendError(session, room, "typing").path("code").asString()).isEqualTo("not-allowed");
			}
		}
	}

	private static JsonNode sendError(StompConnection session, String room, String action) {
		return session.expectError("/app/rooms." + room + "." + action, "{\"clientId\":\"c\",\"text\":\"t\"}");
	}

	@Test
	void areShownInRoomsAndMembers() {
		String room = roomOfAllRoles();
		for (String role : ROLES) {
			assertThat(this.server.user(role).listed(room).path("role").asString()).isEqualTo(role);
			JsonNode detailed = this.server.user(role).get("/api/rooms/" + room).expect(200).body();
			assertThat(detailed.path("role").asString()).isEqualTo(role);
			assertThat(detailed.path("private").asBoolean()).isTrue();
			assertThat(detailed.path("members")).hasSize(4)
				.allSatisfy((member) -> assertThat(member.path("role")).isEqualTo(member.path("username")));
		}
		JsonNode page = this.server.user("reader")
			.get("/api/rooms/" + room + "/members?after=member&limit=2")
			.expect(200)
			.body();
		assertThat(page.path("members")).extracting((member) -> member.path("username").asString())
			.containsExactly("moderator", "owner");
		for (String query : List.of("?limit=0", "?limit=x", "?limit=-1")) {
			assertThat(this.server.user("reader").get("/api/rooms/" + room + "/members" + query).status())
				.isEqualTo(400);
		}
	}

	@Test
	void doNotExistInADirectRoom() {
		this.server.user("bert");
		String room = this.server.user("anna").openDirect("bert");
		assertThat(this.server.user("anna").listed(room).has("role")).isFalse();
		JsonNode detailed = this.server.user("anna").get("/api/rooms/" + room).expect(200).body();
		assertThat(detailed.has("role")).isFalse();
		assertThat(detailed.path("members")).noneMatch((member) -> member.has("role"));
		for (ChatApi.Answer answer : List.of(this.server.user("anna").changeRole(room, "bert", "reader"),
				this.server.user("anna").put("/api/rooms/" + room + "/mutes/bert", Map.of("until", LATER)),
				this.server.user("anna").put("/api/rooms/" + room + "/bans/bert", Map.of()),
				this.server.user("anna").post("/api/rooms/" + room + "/invites", Map.of()))) {
			assertThat(answer.expect(403).code()).isEqualTo("not-allowed");
		}
		assertThat(this.jdbc.queryForObject("SELECT COUNT(*) FROM room_member WHERE room_id = ? AND role <> 'member'",
				Integer.class, room))
			.isZero();
	}

	@FanOut
	@Test
	void takeEffectAtTheNextMessage() {
		String room = this.server.room("anna", "bert");
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.expectReceipt(bert.say(room, "c1", "text"));
			this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
			assertThat(sendError(bert, room, "send").path("code").asString()).isEqualTo("not-allowed");
			JsonNode changed = bert.expectEvent("me", (event) -> isAbout(event, "role.changed", room));
			assertThat(changed.path("role").asString()).isEqualTo("reader");
			assertThat(changed.path("by").asString()).isEqualTo("anna");
			this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
			bert.expectReceipt(bert.say(room, "c2", "text"));
			this.server.user("anna").get("/api/rooms/" + room + "/bans").expect(200);
		}
	}

	@FanOut
	@Test
	void cannotBeEscapedByRejoining() {
		String room = this.server.channel("anna", "bert", "cleo");
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		mute("anna", room, "cleo").expect(204);
		for (String user : List.of("bert", "cleo")) {
			this.server.user(user).leave(room, user).expect(204);
			this.server.user(user).join(room, user).expect(201);
		}
		assertThat(post("bert", room).expect(403).code()).isEqualTo("not-allowed");
		assertThat(post("cleo", room).expect(403).code()).isEqualTo("muted");
		this.server.user("cleo").leave(room, "cleo").expect(204);
		this.server.user("anna").delete("/api/rooms/" + room + "/mutes/cleo").expect(204);
		this.server.user("cleo").join(room, "cleo").expect(201);
		post("cleo", room).expect(202);
	}

	@FanOut
	@Test
	void aMutedMemberReadsOnly() {
		String room = roomOfAllRoles();
		try (StompConnection member = this.server.connectWithEvents("member")) {
			member.follow("s", room);
			mute("moderator", room, "member").expect(204);
			JsonNode refused = sendError(member, room, "send");
			assertThat(refused.path("code").asString()).isEqualTo("muted");
			assertThat(refused.path("clientId").asString()).isEqualTo("c");
			assertThat(sendError(member, room, "typing").path("code").asString()).isEqualTo("muted");
			assertThat(post("member", room).expect(403).code()).isEqualTo("muted");
			assertThat(member.expectEvent("me", (event) -> isAbout(event, "role.changed", room))
				.path("mutedUntil")
				.asString()).startsWith(LATER.substring(0, 16));
			this.server.user("owner").say(room, "c1", "text");
			member.expectMessage("s", "c1");
			assertThat(mutedUntil("owner", room)).isNotEmpty();
			assertThat(mutedUntil("member", room)).isNotEmpty();
			assertThat(mutedUntil("reader", room)).isEmpty();
			assertThat(this.server.user("member").delete("/api/rooms/" + room + "/mutes/member").expect(403).code())
				.isEqualTo("not-allowed");
			this.server.user("owner").delete("/api/rooms/" + room + "/mutes/member").expect(204);
			member.expectReceipt(member.say(room, "c2", "text"));
		}
	}

	private String mutedUntil(String viewer, String room) {
		for (JsonNode member : this.server.user(viewer).get("/api/rooms/" + room).expect(200).body().path("members")) {
			if (member.path("username").asString().equals("member")) {
				return member.path("mutedUntil").asString("");
			}
		}
		throw new AssertionError("There is no member");
	}

	/** The time of the store, so that the test does not wait. */
	@FanOut
	@Test
	void aMuteEndsByItself() {
		String room = this.server.room("anna", "bert");
		mute("anna", room, "bert").expect(204);
		assertThat(post("bert", room).expect(403).code()).isEqualTo("muted");
		this.jdbc.update("UPDATE room_restriction SET muted_until = ? WHERE room_id = ?",
				io.parley.store.UtcTime.of(Instant.now().minusSeconds(1)), room);
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		post("bert", room).expect(202);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"until\":null}", "{\"until\":\"soon\"}", "{\"until\":\"2020-01-01T00:00:00Z\"}",
			"{\"until\":\"2999-01-01T00:00:00Z\"}", "{\"until\":12}", "" })
	void aMuteNeedsATimeThatMakesSense(String body) {
		String room = this.server.room("anna", "bert");
		assertThat(this.server.user("anna").exchange("PUT", "/api/rooms/" + room + "/mutes/bert", body).status())
			.isEqualTo(400);
		post("bert", room).expect(202);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"role\":null}", "{\"role\":\"king\"}", "{\"role\":\"OWNER\"}", "{\"role\":3}",
			"[]", "" })
	void aRoleMustBeOne(String body) {
		String room = this.server.room("anna", "bert");
		assertThat(this.server.user("anna").exchange("PUT", "/api/rooms/" + room + "/members/bert", body).status())
			.isEqualTo(400);
		assertOneOwner(room);
	}

	@Test
	void needAMember() {
		String room = this.server.room("anna");
		this.server.user("bert");
		for (String name : List.of("bert", "nobody-at-all", "x".repeat(3_000), "%F0%9F%98%80")) {
			assertThat(this.server.user("anna").changeRole(room, name, "moderator").expect(404).code())
				.isEqualTo("not-found");
			assertThat(mute("anna", room, name).expect(404).code()).isEqualTo("not-found");
		}
	}

	@Test
	void anOwnerHandsTheRoomOver() {
		String room = this.server.room("anna", "bert");
		assertThat(this.server.user("anna").changeRole(room, "anna", "member").expect(403).code())
			.isEqualTo("not-allowed");
		this.server.user("anna").changeRole(room, "bert", "owner").expect(200);
		assertRoles(room, "anna", "moderator", "bert", "owner");
		for (String role : List.of("owner", "member")) {
			assertThat(this.server.user("anna").changeRole(room, "bert", role).expect(403).code())
				.isEqualTo("not-allowed");
		}
		this.server.user("bert").changeRole(room, "bert", "owner").expect(200);
		this.server.user("bert").changeRole(room, "anna", "reader").expect(200);
		assertThat(post("anna", room).expect(403).code()).isEqualTo("not-allowed");
	}

	@Test
	void moderatorsGiveNoRoleThatIsTheirOwnOrHigherAlsoIfNothingChanges() {
		String room = this.server.room("owner", "moderator", "other", "member");
		this.server.user("owner").changeRole(room, "moderator", "moderator").expect(200);
		this.server.user("owner").changeRole(room, "other", "moderator").expect(200);
		assertThat(this.server.user("moderator").changeRole(room, "owner", "owner").expect(403).code())
			.isEqualTo("not-allowed");
		assertThat(this.server.user("moderator").changeRole(room, "other", "moderator").expect(403).code())
			.isEqualTo("not-allowed");
		this.server.user("moderator").changeRole(room, "moderator", "moderator").expect(200);
		this.server.user("moderator").changeRole(room, "member", "member").expect(200);
		this.server.user("owner").changeRole(room, "other", "moderator").expect(200);
	}

	@Test
	void aDisabledUserIsNotMadeAMemberOrTheOwner() {
		this.server.user("bert");
		String room = this.server.room("anna", "disabled-member");
		String other = this.server.room("anna");
		ChatApi olga = this.server.user("olga");
		olga.patch("/api/operator/users/disabled-member", Map.of("state", "disabled")).expect(200);
		ChatApi anna = this.server.user("anna");
		for (ChatApi.Answer answer : List.of(anna.changeRole(room, "disabled-member", "owner"),
				anna.join(other, "disabled-member"),
				anna.post("/api/rooms",
						Map.of("name", "x", "kind", "group", "members", List.of("bert", "disabled-member"))),
				anna.post("/api/rooms", Map.of("kind", "direct", "members", List.of("disabled-member"))))) {
			assertThat(answer.expect(403).code()).isEqualTo("not-allowed");
			assertThat(answer.body().path("detail").asString())
				.isEqualTo("The account of 'disabled-member' is disabled.");
		}
		anna.changeRole(room, "disabled-member", "moderator").expect(200);
		assertRoles(room, "anna", "owner", "disabled-member", "moderator");
		olga.patch("/api/operator/users/disabled-member", Map.of("state", "active")).expect(200);
		anna.changeRole(room, "disabled-member", "owner").expect(200);
		anna.join(other, "disabled-member").expect(201);
	}

	@Test
	void anExistingDirectRoomWithADisabledUserIsFound() {
		this.server.user("disabled-peer");
		String room = this.server.user("anna").openDirect("disabled-peer");
		this.server.user("olga").patch("/api/operator/users/disabled-peer", Map.of("state", "disabled")).expect(200);
		assertThat(this.server.user("anna").openDirect("disabled-peer")).isEqualTo(room);
	}

	@Test
	void theOldestModeratorFollowsTheOwner() {
		String room = this.server.room("anna", "bert");
		for (String user : List.of("cleo", "dora")) {
			this.server.user(user);
			this.server.user("anna").join(room, user).expect(201);
		}
		this.server.user("anna").changeRole(room, "dora", "moderator").expect(200);
		this.server.user("anna").changeRole(room, "cleo", "moderator").expect(200);
		try (StompConnection cleo = this.server.connectWithEvents("cleo")) {
			this.server.user("anna").leave(room, "anna").expect(204);
			assertRoles(room, "bert", "member", "cleo", "owner", "dora", "moderator");
			assertThat(cleo.expectEvent("me", (event) -> isAbout(event, "role.changed", room)).path("role").asString())
				.isEqualTo("owner");
		}
		this.server.user("cleo").leave(room, "dora").expect(204);
		this.server.user("cleo").leave(room, "cleo").expect(204);
		assertRoles(room, "bert", "owner");
	}

	@Test
	void aReaderFollowsTheOwnerWhenNobodyElseIsThere() {
		String room = this.server.room("anna", "bert");
		this.server.user("anna").changeRole(room, "bert", "reader").expect(200);
		mute("anna", room, "bert").expect(204);
		this.server.user("anna").leave(room, "anna").expect(204);
		assertRoles(room, "bert", "owner");
		post("bert", room).expect(202);
	}

	@Test
	void theFirstMemberOfAnEmptyChannelOwnsIt() {
		String room = this.server.channel("anna");
		this.server.user("anna").leave(room, "anna").expect(204);
		this.server.user("bert").join(room, "bert").expect(201);
		this.server.user("anna").join(room, "anna").expect(201);
		assertRoles(room, "anna", "member", "bert", "owner");
	}

	@Test
	void aDisabledOwnerIsFollowed() {
		String shared = this.server.room("leaving", "bert");
		String alone = this.server.room("leaving");
		this.events.publishEvent(new AccountDisabled("leaving"));
		this.events.publishEvent(new AccountDisabled("leaving"));
		assertRoles(shared, "bert", "owner", "leaving", "member");
		assertRoles(alone, "leaving", "owner");
	}

	/** A server of the version before has created the room during an upgrade. */
	@Test
	void theCreatorOfARoomWithoutAnOwnerOwnsIt() {
		String room = this.server.room("bert", "anna", "cleo");
		this.jdbc.update("UPDATE room_member SET role = 'member' WHERE room_id = ?", room);
		assertThat(this.server.user("anna").get("/api/rooms/" + room + "/bans").expect(403).code())
			.isEqualTo("not-allowed");
		this.server.user("bert").get("/api/rooms/" + room + "/bans").expect(200);
		assertOneOwner(room);
	}

	@Test
	void moderatorsWhoDemoteEachOtherAtOnceLeaveOneOwner() throws Exception {
		String room = this.server.room("anna", "bert", "cleo", "dora");
		List<Future<Integer>> calls = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 48; i++) {
				String by = List.of("anna", "bert", "cleo", "dora").get(i % 4);
				String to = List.of("anna", "bert", "cleo", "dora").get(i / 4 % 4);
				String role = ROLES.get(i % 3 + 1);
				calls.add(threads.submit(() -> this.server.user(by).changeRole(room, to, role).status()));
			}
		}
		for (Future<Integer> call : calls) {
			assertThat(call.get()).isIn(200, 403);
		}
		assertOneOwner(room);
	}

	@Test
	void bansAreListedAndLifted() {
		String room = this.server.channel("anna", "bert", "cleo");
		this.server.user("dora");
		this.server.user("anna").changeRole(room, "bert", "moderator").expect(200);
		this.server.user("bert").put("/api/rooms/" + room + "/bans/cleo", Map.of()).expect(204);
		this.server.user("anna").put("/api/rooms/" + room + "/bans/dora", Map.of()).expect(204);
		this.server.user("anna").put("/api/rooms/" + room + "/bans/nobody-at-all", Map.of()).expect(204);
		assertThat(this.server.user("anna").put("/api/rooms/" + room + "/bans/anna", Map.of()).expect(400).code())
			.isEqualTo("bad-request");
		JsonNode bans = this.server.user("bert").get("/api/rooms/" + room + "/bans").expect(200).body();
		assertThat(bans).extracting((ban) -> ban.path("username").asString() + " by " + ban.path("by").asString())
			.containsExactly("cleo by bert", "dora by anna");
		assertThat(bans.get(0).path("since").asString()).endsWith("Z");
		assertThat(this.server.user("dora").join(room, "dora").expect(403).code()).isEqualTo("not-allowed");
		this.server.user("bert").delete("/api/rooms/" + room + "/bans/dora").expect(204);
		this.server.user("bert").delete("/api/rooms/" + room + "/bans/dora").expect(204);
		this.server.user("dora").join(room, "dora").expect(201);
		assertThat(this.server.user("dora").join(room, "cleo").expect(403).code()).isEqualTo("not-allowed");
		this.server.user("bert").join(room, "cleo").expect(201);
	}

	@Test
	void aPrivateChannelIsNotJoinableById() {
		this.server.user("bert");
		String room = this.server.user("anna")
			.post("/api/rooms", Map.of("name", "Board", "kind", "channel", "private", true))
			.expect(201)
			.body()
			.path("id")
			.asString();
		assertThat(this.server.user("bert").join(room, "bert").expect(404).code()).isEqualTo("not-found");
		this.server.user("anna").join(room, "bert").expect(201);
		this.server.user("bert").join(room, "bert").expect(200);
		assertThat(this.server.user("anna").listed(room).path("private").asBoolean()).isTrue();
		assertThat(this.server.user("anna").listed(this.server.channel("anna")).path("private").asBoolean()).isFalse();
		assertThat(this.server.user("anna")
			.post("/api/rooms", Map.of("name", "x", "kind", "group", "private", false))
			.expect(400)
			.code()).isEqualTo("bad-request");
	}

	private void assertRoles(String room, String... usersAndRoles) {
		List<String> expected = new ArrayList<>();
		for (int i = 0; i < usersAndRoles.length; i += 2) {
			expected.add(usersAndRoles[i] + " " + usersAndRoles[i + 1]);
		}
		String viewer = usersAndRoles[0];
		assertThat(this.server.user(viewer).get("/api/rooms/" + room).expect(200).body().path("members"))
			.extracting((member) -> member.path("username").asString() + " " + member.path("role").asString())
			.containsExactlyElementsOf(expected);
		assertOneOwner(room);
	}

	private ChatApi.Answer mute(String by, String room, String user) {
		return this.server.user(by).put("/api/rooms/" + room + "/mutes/" + user, Map.of("until", LATER));
	}

	private ChatApi.Answer post(String user, String room) {
		return this.server.user(user)
			.post("/api/rooms/" + room + "/messages",
					Map.of("clientId", java.util.UUID.randomUUID().toString(), "text", "t"));
	}

	private static boolean isAbout(JsonNode event, String type, String room) {
		return event.path("type").asString().equals(type) && event.path("room").asString().equals(room);
	}

}
