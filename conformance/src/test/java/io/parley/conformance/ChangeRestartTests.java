package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.RestartableServer;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A repeated change is the same change, also when the server has forgotten it. */
@Tag("slow")
class ChangeRestartTests {

	/** More than a server reads again when it starts. */
	private static final int FORGOTTEN = 2_200;

	@Test
	void aRepetitionNamesThePositionAfterARestart() {
		try (RestartableServer restartable = new RestartableServer("chat.log.partitions=1")) {
			ChatApi anna = restartable.server().user("anna");
			String room = restartable.server().room("anna");
			long target = anna.say(room, "c1", "one");
			long other = anna.say(room, "c2", "two");
			long edit = anna.edit(room, target, "e1", "old").expect(202).body().path("position").asLong();
			anna.edit(room, target, "e2", "new").expect(202);
			long delete = anna.deleteMessage(room, other).expect(202).body().path("position").asLong();
			restartable.restart();
			assertRepeated(restartable, room, target, edit, other, delete);
			try (StompConnection connection = restartable.server().connect("anna")) {
				List<String> receipts = new ArrayList<>();
				for (int i = 0; i < FORGOTTEN; i++) {
					receipts.add(connection.say(room, "f" + i, "text"));
				}
				connection.expectReceipts(receipts);
			}
			restartable.restart();
			assertRepeated(restartable, room, target, edit, other, delete);
		}
	}

	private static void assertRepeated(RestartableServer restartable, String room, long target, long edit, long other,
			long delete) {
		ChatApi anna = restartable.server().user("anna");
		long head = anna.history(room, "?limit=1").getLast().path("position").asLong();
		assertThat(anna.edit(room, target, "e1", "old").expect(202).body().path("position").asLong()).isEqualTo(edit);
		assertThat(anna.deleteMessage(room, other).expect(202).body().path("position").asLong()).isEqualTo(delete);
		assertThat(anna.post("/api/rooms/" + room + "/messages", java.util.Map.of("clientId", "c1", "text", "one"))
			.expect(202)
			.status()).isEqualTo(202);
		assertThat(anna.edit(room, target, "c2", "text").expect(400).code()).isEqualTo("bad-message");
		List<JsonNode> view = anna.view(room, "&after=0&limit=2");
		assertThat(view.getFirst().path("text").asString()).isEqualTo("new");
		assertThat(view.getLast().path("deleted").asBoolean()).isTrue();
		assertThat(anna.history(room, "?after=" + head)).noneMatch((event) -> event.has("target"));
	}

}
