package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@UnlimitedServer
class HistoryTests {

	private final ChatServer server;

	HistoryTests(ChatServer server) {
		this.server = server;
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 3, 7, 50 })
	void isTheSameInPagesOfAnySizeInBothDirections(int limit) {
		String room = filledRoom(10);
		List<JsonNode> all = this.server.user("anna").history(room, "?limit=200");
		assertThat(all).hasSize(11);
		assertThat(forwards(room, limit)).isEqualTo(all);
		assertThat(backwards(room, limit)).isEqualTo(all);
	}

	private List<JsonNode> forwards(String room, int limit) {
		List<JsonNode> read = new ArrayList<>();
		List<JsonNode> page = this.server.user("anna").history(room, "?after=0&limit=" + limit);
		while (!page.isEmpty()) {
			assertThat(page).hasSizeLessThanOrEqualTo(limit);
			read.addAll(page);
			page = this.server.user("anna")
				.history(room, "?limit=" + limit + "&after=" + page.getLast().path("position").asLong());
		}
		return read;
	}

	private List<JsonNode> backwards(String room, int limit) {
		List<JsonNode> read = new ArrayList<>();
		List<JsonNode> page = this.server.user("anna").history(room, "?limit=" + limit);
		while (!page.isEmpty()) {
			assertThat(page).hasSizeLessThanOrEqualTo(limit);
			read.addAll(0, page);
			page = this.server.user("anna")
				.history(room, "?limit=" + limit + "&before=" + page.getFirst().path("position").asLong());
		}
		return read;
	}

	@Test
	void numbersMessagesFromOneWithoutHoles() {
		String room = filledRoom(12);
		this.server.user("bert");
		this.server.user("anna").join(room, "bert").expect(201);
		this.server.user("anna").say(room, "after", "the join");
		List<JsonNode> all = this.server.user("anna").history(room, "?limit=200");
		assertThat(all.stream().filter(HistoryTests::isMessage).map((event) -> event.path("number").asInt()))
			.containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
		assertThat(all.stream().map((event) -> event.path("number").asInt())).isSorted();
	}

	@Test
	void chainsEachEventToTheOneBefore() {
		String room = filledRoom(6);
		long last = 0;
		for (JsonNode event : this.server.user("anna").history(room, "")) {
			assertThat(event.path("prev").asLong()).isEqualTo(last);
			last = event.path("position").asLong();
		}
	}

	@Test
	void returnsTheHeadWithEachPage() {
		String room = filledRoom(3);
		JsonNode page = this.server.user("anna").get("/api/rooms/" + room + "/messages?after=0&limit=1").body();
		long head = this.server.user("anna").history(room, "?limit=1").getFirst().path("position").asLong();
		assertThat(page.path("head").asLong()).isEqualTo(head);
	}

	@Test
	void returnsTheLiveEventsPlusTheNumber() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			anna.expectReceipt(anna.say(room, "c1", "hello"));
			JsonNode live = anna.expectMessage("s", "c1");
			JsonNode stored = this.server.user("anna").history(room, "?limit=1").getFirst();
			assertThat(stored.path("number").asInt()).isEqualTo(1);
			assertThat(((tools.jackson.databind.node.ObjectNode) stored).without("number")).isEqualTo(live);
		}
	}

	@Test
	void capsTheLimitAtTheLargestPage() {
		String room = filledRoom(2);
		assertThat(this.server.user("anna").history(room, "?limit=1000000")).hasSize(3);
	}

	@ParameterizedTest
	@ValueSource(strings = { "?limit=0", "?limit=-1", "?limit=x", "?before=x", "?before=1&after=1" })
	void refusesBadPages(String query) {
		String room = this.server.room("anna");
		ChatApi.Answer answer = this.server.user("anna").get("/api/rooms/" + room + "/messages" + query);
		answer.expect(400);
		assertThat(answer.code()).isEqualTo("bad-request");
	}

	@Test
	void isForMembersOnly() {
		String room = this.server.room("anna");
		ChatApi.Answer answer = this.server.user("bert").get("/api/rooms/" + room + "/messages").expect(403);
		assertThat(answer.code()).isEqualTo("not-a-member");
	}

	private String filledRoom(int messages) {
		String room = this.server.room("anna");
		for (int i = 0; i < messages; i++) {
			this.server.user("anna").say(room, "c" + i, "text " + i);
		}
		return room;
	}

	private static boolean isMessage(JsonNode event) {
		return event.path("type").asString().equals("message.posted");
	}

}
