package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/** Drafts are the same on all devices of a user. */
@UnlimitedServer
class DraftTests {

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	private final String room;

	private final ChatApi anna;

	private final String draft;

	DraftTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
		this.room = server.room("anna", "bert");
		this.anna = server.user("anna");
		this.draft = "/api/rooms/" + this.room + "/draft";
	}

	/** Returns the drafts of a user in the room. */
	private List<JsonNode> drafts(ChatApi user) {
		List<JsonNode> drafts = new ArrayList<>();
		user.get("/api/me/drafts").expect(200).body().path("drafts").forEach((one) -> {
			if (one.path("room").asString().equals(this.room)) {
				drafts.add(one);
			}
		});
		return drafts;
	}

	private boolean isChange(JsonNode event) {
		return event.path("type").asString().equals("draft.changed") && event.path("room").asString().equals(this.room);
	}

	@Test
	void isToldToAllDevicesAndTheLastWriteWins() {
		long root = this.anna.say(this.room, "root", "text");
		try (StompConnection device = this.server.connectWithEvents("anna");
				StompConnection other = this.server.connectWithEvents("bert")) {
			JsonNode first = this.anna
				.put(this.draft,
						Map.of("text", " ü👍\n", "replyTo", root, "mentions", Map.of("users", List.of("bert")),
								"clientId", "d1"))
				.expect(200)
				.body();
			JsonNode event = device.expectEvent("me", this::isChange);
			assertThat(event.path("clientId").asString()).isEqualTo("d1");
			assertThat(event.path("version").asLong()).isEqualTo(first.path("version").asLong());
			assertThat(event.path("draft")).isEqualTo(first.path("draft"));
			assertThat(event.at("/draft/text").asString()).isEqualTo(" ü👍\n");
			assertThat(event.at("/draft/replyTo").asLong()).isEqualTo(root);
			assertThat(event.at("/draft/mentions/users/0").asString()).isEqualTo("bert");
			assertThat(event.at("/draft/clientId").isMissingNode()).isTrue();
			this.anna.put("/api/rooms/" + this.room + "/threads/" + root + "/draft", Map.of("text", "reply"))
				.expect(200);
			JsonNode last = this.anna.put(this.draft, Map.of("text", "last")).expect(200).body();
			assertThat(last.path("version").asLong()).isGreaterThan(first.path("version").asLong());
			assertThat(drafts(this.anna))
				.extracting((one) -> one.at("/draft/text").asString(), (one) -> one.path("thread").asLong())
				.containsExactlyInAnyOrder(org.assertj.core.groups.Tuple.tuple("last", 0L),
						org.assertj.core.groups.Tuple.tuple("reply", root));
			this.anna.delete(this.draft).expect(204);
			this.anna.delete(this.draft).expect(204);
			JsonNode removed = device.expectEvent("me", (one) -> isChange(one) && one.path("draft").isMissingNode());
			assertThat(removed.path("version").asLong()).isGreaterThan(last.path("version").asLong());
			assertThat(drafts(this.anna)).hasSize(1);
			assertThat(drafts(this.server.user("bert"))).isEmpty();
			other.expectReceipt(other.say(this.room, "end", "end"));
			assertThat(other.events("me")).noneMatch(this::isChange);
		}
		assertThat(this.anna.history(this.room, "").toString()).doesNotContain("reply", "last");
	}

	@Test
	void endsWhenItsUserLeaves() {
		ChatApi bert = this.server.user("bert");
		bert.put(this.draft, Map.of("text", "text")).expect(200);
		bert.leave(this.room, "bert").expect(204);
		assertThat(bert.put(this.draft, Map.of("text", "text")).expect(403).code()).isEqualTo("not-a-member");
		this.anna.join(this.room, "bert").expect(201);
		assertThat(drafts(bert)).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', value = { "{} | 400 | bad-message", "{\"text\":\"\"} | 400 | bad-message",
			"{\"text\":1} | 400 | bad-message", "[] | 400 | bad-message",
			"{\"text\":\"t\",\"x\":1} | 400 | bad-message", "{\"text\":\"t\",\"replyTo\":-1} | 400 | bad-message",
			"{\"text\":\"t\",\"mentions\":[]} | 400 | bad-message",
			"{\"text\":\"t\",\"thread\":7} | 400 | bad-message" })
	void refusesWhatIsNoDraft(String body, int status, String code) {
		assertThat(this.anna.exchange("PUT", this.draft, body).expect(status).code()).isEqualTo(code);
		assertThat(drafts(this.anna)).isEmpty();
	}

	@Test
	void refusesWhatIsTooLongTooManyOrOfNoThread() {
		assertThat(this.anna.put(this.draft, Map.of("text", "x".repeat(16_384))).expect(413).code())
			.isEqualTo("message-too-large");
		for (String root : List.of("7", "0", "-1")) {
			assertThat(this.anna.put("/api/rooms/" + this.room + "/threads/" + root + "/draft", Map.of("text", "t"))
				.expect(404)
				.code()).isEqualTo("not-found");
		}
		ChatApi many = this.server.user("many");
		String own = many.openGroup("Room");
		this.jdbc.batchUpdate(
				"INSERT INTO draft (username, room_id, thread, version, changed_at, body) VALUES ('many', ?, ?, 1, NOW(), '{}')",
				java.util.stream.LongStream.rangeClosed(1, 200).mapToObj((i) -> new Object[] { own, i }).toList());
		assertThat(many.put("/api/rooms/" + own + "/draft", Map.of("text", "t")).expect(409).code())
			.isEqualTo("too-many-drafts");
	}

}
