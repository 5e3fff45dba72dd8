package io.parley.server.room;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Operators list rooms and members, and see nothing of what is said. */
@UnlimitedServer
class OperatorRoomTests {

	private static final String ROOMS = "/api/operator/rooms";

	private final ChatServer server;

	OperatorRoomTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void listsRoomsInPagesAndFindsThem() {
		ChatApi lola = this.server.user("lola");
		List<String> opened = new ArrayList<>();
		for (String name : List.of("Blue_one", "Blue two", "BLUE 100%", "Red!")) {
			opened.add(lola.openGroup(name));
		}
		opened.sort(null);
		assertThat(ids("?member=lola")).containsExactlyElementsOf(opened);
		assertThat(names("?member=lola&search=blue")).containsExactlyInAnyOrder("Blue_one", "Blue two", "BLUE 100%");
		assertThat(names("?member=lola&search=e_o")).containsExactly("Blue_one");
		assertThat(names("?member=lola&search=0%25")).containsExactly("BLUE 100%");
		assertThat(names("?member=lola&search=d!")).containsExactly("Red!");
		assertThat(names("?search=blue_ONE")).containsExactly("Blue_one");
		assertThat(names("?member=nobody-here")).isEmpty();
		List<String> paged = new ArrayList<>();
		String next = "";
		do {
			JsonNode page = olga().get(ROOMS + "?member=lola&limit=2&after=" + next).expect(200).body();
			page.path("rooms").forEach((room) -> paged.add(room.path("id").asString()));
			next = page.path("next").asString("");
		}
		while (!next.isEmpty());
		assertThat(paged).containsExactlyElementsOf(opened);
		for (String query : List.of("?limit=0", "?limit=501", "?limit=x")) {
			assertThat(olga().get(ROOMS + query).expect(400).code()).isEqualTo("bad-request");
		}
	}

	@Test
	void showsMembersButNoMessages() {
		ChatApi lena = this.server.user("lena");
		String room = this.server.room("lena", "mark", "nora");
		lena.say(room, "c1", "secret of the room");
		Instant until = Instant.now().plusSeconds(3_600);
		lena.put("/api/rooms/" + room + "/mutes/nora", Map.of("until", until.toString())).expect(204);
		JsonNode one = olga().get(ROOMS + "/" + room).expect(200).body();
		assertThat(one.path("memberCount").asInt()).isEqualTo(3);
		assertThat(one.path("private").asBoolean()).isTrue();
		assertThat(one.toString()).doesNotContain("secret");
		JsonNode page = olga().get(ROOMS + "/" + room + "/members?limit=2").expect(200).body();
		assertThat(page.path("members"))
			.extracting((member) -> member.path("username").asString() + " " + member.path("role").asString())
			.containsExactly("lena owner", "mark member");
		JsonNode last = olga().get(ROOMS + "/" + room + "/members?limit=2&after=" + page.path("next").asString())
			.expect(200)
			.body();
		assertThat(last.path("members")).singleElement()
			.satisfies((member) -> assertThat(Instant.parse(member.path("mutedUntil").asString()))
				.isBetween(until.minusSeconds(1), until));
		assertThat(last.path("next").isNull()).isTrue();
		assertThat(olga().get(ROOMS + "/none/members").expect(404).code()).isEqualTo("not-found");
		assertThat(olga().get(ROOMS + "/none").expect(404).code()).isEqualTo("not-found");
		assertThat(olga().get(ROOMS + "/" + room + "/members?limit=0").expect(400).code()).isEqualTo("bad-request");
	}

	@Test
	void aDirectRoomHasNoRoles() {
		this.server.user("mark");
		String room = this.server.user("lena").openDirect("mark");
		assertThat(olga().get(ROOMS + "/" + room).expect(200).body().path("kind").asString()).isEqualTo("direct");
		assertThat(olga().get(ROOMS + "/" + room + "/members").expect(200).body().path("members")).hasSize(2)
			.allSatisfy((member) -> assertThat(member.has("role")).isFalse());
	}

	private ChatApi olga() {
		return this.server.user("olga");
	}

	private List<String> ids(String query) {
		return fields(query, "id");
	}

	private List<String> names(String query) {
		return fields(query, "name");
	}

	private List<String> fields(String query, String field) {
		List<String> values = new ArrayList<>();
		olga().get(ROOMS + query)
			.expect(200)
			.body()
			.path("rooms")
			.forEach((room) -> values.add(room.path(field).asString()));
		return values;
	}

}
