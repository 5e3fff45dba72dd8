package io.parley.system;

import java.util.List;
import java.util.Map;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** An account, a room and a membership that were created just before a crash. */
record LateArrival(String user, String room, String host) {

	/**
	 * Registers the user, creates a room and adds the user. Returns after the server has
	 * confirmed everything.
	 */
	static LateArrival arrive(ChatApi api, String host, Map<String, String> tokens, String user) {
		String token = tokens.get(host);
		api.register(user);
		String room = api.createRoom(token, "Room of " + user, List.of());
		api.join(token, room, user);
		return new LateArrival(user, room, host);
	}

	void assertExists(ChatApi api) {
		String token = api.login(this.user);
		assertThat(api.rooms(token)).extracting((room) -> room.path("id").asString()).contains(this.room);
		assertThat(api.room(token, this.room).path("members"))
			.extracting((member) -> member.path("username").asString())
			.containsExactlyInAnyOrder(this.user, this.host);
		List<JsonNode> events = api.history(token, this.room);
		new RoomHistory(this.room, events).assertUnbroken();
		assertThat(events).extracting((event) -> event.path("type").asString())
			.containsExactly("room.created", "member.joined");
	}

}
