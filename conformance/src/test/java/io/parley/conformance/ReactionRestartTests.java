package io.parley.conformance;

import java.util.List;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.RestartableServer;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** A server that stops writes the reactions that wait. */
@Tag("exhaustive")
class ReactionRestartTests {

	@Test
	void whatWaitsIsWrittenBeforeTheServerStops() {
		try (RestartableServer restartable = new RestartableServer()) {
			ChatApi anna = restartable.server().user("anna");
			String room = restartable.server().room("anna");
			long target = anna.say(room, "c1", "text");
			try (StompConnection connection = restartable.server().connect("anna")) {
				connection.expectReceipt(connection.react(room, target, ":first:", true));
				List<String> waiting = List.of(connection.react(room, target, ":second:", true),
						connection.react(room, target, ":first:", false));
				// Handled after both.
				connection.expectReceipt(connection.say(room, "c2", "text"));
				restartable.restart();
				connection.expectReceipts(waiting);
			}
			ChatApi again = restartable.server().user("anna");
			JsonNode view = again.view(room, "").getFirst();
			assertThat(view.path("reactions").toString())
				.isEqualTo("{\":second:\":{\"n\":1,\"mine\":true,\"users\":[\"anna\"]}}");
			long position = again.react(room, target, ":second:", true).expect(202).body().path("position").asLong();
			assertThat(position).isEqualTo(view.path("changed").asLong());
		}
	}

}
