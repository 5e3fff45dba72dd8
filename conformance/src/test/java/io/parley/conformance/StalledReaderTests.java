package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The timeout for a socket that does not read is short here. */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.session.outbox-bytes=64KB",
		"chat.session.stall-timeout=1s", "chat.history.replay=20000" })
@Tag("exhaustive")
class StalledReaderTests {

	private final ChatServer server;

	private final SessionRegistry sessions;

	private final MeterRegistry meters;

	StalledReaderTests(ChatServer server, SessionRegistry sessions, MeterRegistry meters) {
		this.server = server;
		this.sessions = sessions;
		this.meters = meters;
	}

	@Test
	void isClosedAndResumesWithoutLoss() {
		String room = this.server.room("anna", "bert");
		List<Long> sent = new ArrayList<>();
		long last;
		double before = closed();
		try (StompConnection stalled = this.server.connect("bert")) {
			stalled.follow("s", room);
			stalled.stopReading();
			ChatSession session = this.sessions.of("bert").iterator().next();
			while (!session.isClosingOrExpired()) {
				assertThat(sent).as("the stalled reader was closed before").hasSizeLessThan(3_000);
				sent.add(this.server.user("anna").say(room, "c" + sent.size(), "x".repeat(15_000)));
			}
			await().until(() -> !this.sessions.online("bert"));
			assertThat(closed()).as("counted by the code that the server has sent").isEqualTo(before + 1);
			stalled.abort();
			JsonNode event = stalled.events("s").getLast();
			last = event.path(event.path("type").asString().equals("subscribed") ? "head" : "position").asLong();
		}
		try (StompConnection again = this.server.connect("bert")) {
			assertThat(again.follow("s", room, last).path("recovered").asBoolean()).isTrue();
			assertThat(again.events("s").stream().skip(1).map((event) -> event.path("position").asLong()).toList())
				.isEqualTo(sent.stream().filter((position) -> position > last).toList());
		}
	}

	private double closed() {
		return this.meters.get("chat.sessions.closed").tag("code", "4413").counter().count();
	}

}
