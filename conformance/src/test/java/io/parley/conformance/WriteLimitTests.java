package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** HTTP calls that write count against the rate limits of their user. */
@ProtocolTest(properties = { "chat.limits.sends-per-second=5", "chat.limits.reactions-per-second=5",
		"chat.limits.drafts-per-second=5", "chat.limits.delivered-per-second=1", "chat.limits.rooms-per-minute=6",
		"chat.limits.reports-per-minute=4", "chat.limits.invitations-per-minute=1000",
		"chat.limits.repeated-invitations-per-minute=3" })
class WriteLimitTests {

	private static final int CALLS = Boolean.getBoolean("parley.test.full-size") ? 200 : 50;

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	WriteLimitTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "read | PUT | /api/rooms/{room}/read | {\"position\":0}",
			"join | POST | /api/rooms/{room}/members | {\"username\":\"join\"}",
			"edit | PATCH | /api/rooms/{room}/messages/1 | {\"clientId\":\"c\",\"text\":\"t\"}",
			"delete | DELETE | /api/rooms/{room}/messages/1 | ''",
			"react | PUT | /api/rooms/{room}/messages/1/reactions/:a: | ''",
			"unreact | DELETE | /api/rooms/{room}/messages/1/reactions/:a: | ''",
			"pin | PUT | /api/rooms/{room}/messages/1/pin | ''",
			"unpin | DELETE | /api/rooms/{room}/messages/1/pin | ''",
			"settings | PATCH | /api/rooms/{room} | {\"topic\":\"t\"}",
			"leave | DELETE | /api/rooms/{room}/members/leave | ''",
			"device | POST | /api/devices | {\"token\":\"t\",\"platform\":\"web\"}",
			"undevice | DELETE | /api/devices/t | ''", "block | PUT | /api/blocks/x | {}",
			"unblock | DELETE | /api/blocks/x | ''", "everywhere | PUT | /api/me/notifications | {\"level\":\"all\"}",
			"password | PUT | /api/me/password | {\"current\":\"x\",\"password\":\"short\"}",
			"hide | PUT | /api/me/presence | {\"hideLastSeen\":false}",
			"inroom | PUT | /api/rooms/{room}/notifications | {}",
			"role | PUT | /api/rooms/{room}/members/x | {\"role\":\"reader\"}",
			"ban | PUT | /api/rooms/{room}/bans/x | {}", "unban | DELETE | /api/rooms/{room}/bans/x | {}",
			"mute | PUT | /api/rooms/{room}/mutes/x | {\"until\":\"2020-01-01T00:00:00Z\"}",
			"draft | PUT | /api/rooms/{room}/draft | {\"text\":\"t\"}",
			"undraft | DELETE | /api/rooms/{room}/draft | ''",
			"later | POST | /api/rooms/{room}/scheduled | {\"clientId\":\"c\",\"text\":\"t\",\"sendAt\":\"2020-01-01T00:00:00Z\"}",
			"unlater | DELETE | /api/me/scheduled/1 | ''", "relater | PATCH | /api/me/scheduled/1 | {\"text\":\"t\"}",
			"slow | PUT | /api/rooms/{room}/slow-mode | {\"seconds\":5}",
			"close | PATCH | /api/rooms/{room}/reports/1 | {\"state\":\"resolved\"}",
			"unmute | DELETE | /api/rooms/{room}/mutes/x | ''", "link | POST | /api/rooms/{room}/invites | {}",
			"unlink | DELETE | /api/rooms/{room}/invites/x | ''", "redeem | POST | /api/invites/x | ''",
			"open | POST | /api/rooms | {\"kind\":\"direct\",\"members\":[\"peer\"]}" })
	void limitsRepeatedCalls(String user, String method, String path, String body) throws Exception {
		this.server.user("peer");
		ChatApi api = this.server.user(user);
		if (user.equals("open")) {
			// There is another limit for new rooms with the same user.
			api.openDirect("peer");
		}
		String address = path.replace("{room}", api.openGroup("Room"));
		List<ChatApi.Answer> answers = atOnce(CALLS, () -> api.exchange(method, address, body));
		assertThat(answers).extracting(ChatApi.Answer::status).doesNotContain(500, 503);
		assertThat(answers).filteredOn((answer) -> answer.status() == 429).isNotEmpty().allSatisfy((answer) -> {
			assertThat(answer.code()).isEqualTo("rate-limited");
			assertThat(answer.response().headers().firstValue("Retry-After")).hasValue("1");
		});
		assertThat(answers).filteredOn((answer) -> answer.status() != 429).isNotEmpty();
	}

	/** They do not use up the allowance of typing and read markers. */
	@Test
	void limitsTheReportsOfDelivery() {
		String room = this.server.room("receiver");
		try (StompConnection receiver = this.server.connectWithEvents("receiver")) {
			for (int i = 0; i < CALLS; i++) {
				receiver.send("SEND", Map.of("destination", "/app/rooms." + room + ".delivered"), "{\"position\":0}");
			}
			JsonNode error = receiver.expectEvent("me",
					(event) -> event.path("code").asString().equals("rate-limited"));
			assertThat(error.path("retryAfter").asInt()).isPositive();
			receiver.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"), "{\"position\":0}");
		}
	}

	@Test
	void limitsTheReportsOfAUser() {
		ChatApi reporter = this.server.user("reporter");
		String room = reporter.openGroup("Room");
		for (int i = 0; i < 4; i++) {
			reporter.post("/api/rooms/" + room + "/messages/7/report", Map.of("reason", "x")).expect(404);
		}
		ChatApi.Answer limited = reporter.post("/api/rooms/" + room + "/messages/7/report", Map.of("reason", "x"))
			.expect(429);
		assertThat(limited.code()).isEqualTo("rate-limited");
		assertThat(limited.response().headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 60L);
	}

	@Test
	void limitsTheRoomsThatAUserCreates() throws Exception {
		ChatApi opener = this.server.user("opener");
		Map<String, String> group = Map.of("name", "x", "kind", "group");
		List<ChatApi.Answer> answers = atOnce(12, () -> opener.post("/api/rooms", group));
		assertThat(answers).filteredOn((answer) -> answer.status() == 201).hasSizeBetween(6, 7);
		assertThat(answers).filteredOn((answer) -> answer.status() != 201).allSatisfy((answer) -> {
			assertThat(answer.expect(429).code()).isEqualTo("rate-limited");
			assertThat(Integer.parseInt(answer.response().headers().firstValue("Retry-After").orElse("0"))).isBetween(2,
					10);
		});
		this.server.user("another").post("/api/rooms", group).expect(201);
	}

	@Test
	void opensAnExistingDirectRoomWithoutUsingTheLimit() {
		this.server.user("friend");
		ChatApi caller = this.server.user("caller");
		for (int i = 0; i < 8; i++) {
			caller.openDirect("friend");
		}
		caller.openGroup("still allowed");
	}

	@Test
	void createsOneLargeRoomForANewUserButNotASecond() {
		List<String> names = IntStream.range(0, 1_000).mapToObj((i) -> "crowd" + i).toList();
		this.jdbc.batchUpdate("INSERT INTO account (username, password_hash, created_at) VALUES (?, 'x', NOW())",
				names.stream().map((name) -> new Object[] { name }).toList());
		ChatApi host = this.server.user("host");
		Map<String, Object> large = Map.of("name", "Large", "kind", "group", "members", names);
		assertThat(host.post("/api/rooms", large).expect(201).body().path("memberCount").asInt()).isEqualTo(1_001);
		assertThat(host.post("/api/rooms", large).expect(429).code()).isEqualTo("rate-limited");
		assertThat(this.server.user("guest").post("/api/rooms", large).status()).isEqualTo(201);
	}

	@Test
	void limitsRepeatedInvitationsOfAUser() {
		this.server.user("victim");
		ChatApi flooder = this.server.user("flooder");
		String room = flooder.openGroup("x");
		for (int i = 0; i < 3; i++) {
			flooder.openGroup("x", "victim");
		}
		assertThat(flooder.join(room, "victim").expect(429).code()).isEqualTo("rate-limited");
		assertThat(flooder.post("/api/rooms", Map.of("name", "x", "kind", "group", "members", List.of("victim")))
			.expect(429)
			.code()).isEqualTo("rate-limited");
		assertThat(this.server.user("victim").get("/api/rooms").expect(200).body().size()).isEqualTo(3);
		this.server.user("other").openGroup("x", "victim");
	}

	private static List<ChatApi.Answer> atOnce(int count, Callable<ChatApi.Answer> call) throws Exception {
		List<Future<ChatApi.Answer>> calls = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
			for (int i = 0; i < count; i++) {
				calls.add(threads.submit(call));
			}
		}
		List<ChatApi.Answer> answers = new ArrayList<>();
		for (Future<ChatApi.Answer> one : calls) {
			answers.add(one.get());
		}
		return answers;
	}

}
