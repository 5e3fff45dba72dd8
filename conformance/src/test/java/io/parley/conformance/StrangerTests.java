package io.parley.conformance;

import java.time.Instant;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Users cannot distinguish a room that they may not enter from one that does not exist.
 */
@UnlimitedServer
class StrangerTests {

	private static final String ABSENT = "AAAAAAAAAAAAAAAA";

	private final ChatServer server;

	StrangerTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "GET | /api/rooms/{room} | '' | 403",
			"GET | /api/rooms/{room}/messages | '' | 403",
			"POST | /api/rooms/{room}/messages | {\"clientId\":\"c\",\"text\":\"t\"} | 403",
			"PUT | /api/rooms/{room}/read | {\"position\":0} | 403", "GET | /api/rooms/{room}/notifications | '' | 403",
			"PUT | /api/rooms/{room}/notifications | {} | 403",
			"POST | /api/rooms/{room}/members | {\"username\":\"anna\"} | 403",
			"POST | /api/rooms/{room}/members | {\"username\":\"nobody-at-all\"} | 403",
			"DELETE | /api/rooms/{room}/members/anna | '' | 403",
			"DELETE | /api/rooms/{room}/members/nobody-at-all | '' | 403",
			"DELETE | /api/rooms/{room}/members/stranger | '' | 204", "GET | /api/rooms/{room}/members | '' | 403",
			"PUT | /api/rooms/{room}/members/anna | {\"role\":\"reader\"} | 403",
			"PUT | /api/rooms/{room}/members/nobody-at-all | {\"role\":\"reader\"} | 403",
			"PUT | /api/rooms/{room}/members/stranger | {\"role\":\"owner\"} | 403",
			"GET | /api/rooms/{room}/bans | '' | 403", "PUT | /api/rooms/{room}/bans/anna | {} | 403",
			"DELETE | /api/rooms/{room}/bans/stranger | '' | 403",
			"PUT | /api/rooms/{room}/mutes/anna | {\"until\":\"LATER\"} | 403",
			"DELETE | /api/rooms/{room}/mutes/anna | '' | 403", "POST | /api/rooms/{room}/invites | {} | 403",
			"GET | /api/rooms/{room}/invites | '' | 403", "DELETE | /api/rooms/{room}/invites/x | '' | 403",
			"POST | /api/rooms/{room}/members | {\"username\":\"stranger\"} | 404" })
	void getsTheSameAnswerForBoth(String method, String path, String body, int status) {
		this.server.user("bert");
		String group = this.server.room("anna");
		String direct = this.server.user("anna").openDirect("bert");
		String absent = answer(method, path, body, status, ABSENT);
		assertThat(answer(method, path, body, status, group)).isEqualTo(absent);
		assertThat(answer(method, path, body, status, direct)).isEqualTo(absent);
		assertThat(answer(method, path, body, status, "x".repeat(64))).isEqualTo(absent);
		assertThat(answer(method, path, body, status, "x".repeat(3_000))).isEqualTo(absent);
		assertThat(absent.replaceAll("\"instance\":\"[^\"]*\"", "")).doesNotContain("anna");
	}

	@Test
	void getsTheSameAnswerOverTheSocket() {
		String group = this.server.room("anna");
		try (StompConnection stranger = this.server.connectWithEvents("stranger")) {
			for (String action : new String[] { "send", "typing", "read" }) {
				assertThat(expectError(stranger, action, group)).isEqualTo(expectError(stranger, action, ABSENT))
					.contains("not-a-member");
			}
		}
	}

	private static String expectError(StompConnection stranger, String action, String room) {
		String body = action.equals("send") ? "{\"clientId\":\"c\",\"text\":\"t\"}" : "{\"position\":0}";
		ObjectNode error = (ObjectNode) stranger.expectError("/app/rooms." + room + "." + action, body);
		return error.without("receipt").toString().replace(room, "<room>");
	}

	/** Returns the response body without the id of the requested room. */
	private String answer(String method, String path, String body, int status, String room) {
		ChatApi.Answer answer = this.server.user("stranger")
			.exchange(method, path.replace("{room}", room),
					body.replace("LATER", Instant.now().plusSeconds(3_600).toString()));
		return answer.expect(status).response().body().replace(room, "<room>");
	}

	@Test
	void aMemberLearnsWhichRoleMayRemoveMembers() {
		String room = this.server.room("anna", "bert", "cleo");
		assertThat(this.server.user("bert").leave(room, "cleo").expect(403).body().path("detail").asString())
			.contains("is member", "moderator");
	}

	@Test
	void mayJoinAChannel() {
		String room = this.server.channel("anna");
		this.server.user("stranger").join(room, "stranger").expect(201);
		this.server.user("stranger").put("/api/rooms/" + room + "/read", Map.of("position", 0)).expect(204);
	}

}
