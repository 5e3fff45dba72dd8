package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentMatchers;
import org.mockito.Mockito;

import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Counts the signals that every other server would read. */
@UnlimitedServer
@Tag("exhaustive")
class SignalCountIntegrationTests {

	private final ChatServer server;

	@MockitoSpyBean
	private NodeMessenger messenger;

	SignalCountIntegrationTests(ChatServer server) {
		this.server = server;
	}

	private long broadcasts(NodeSignal.Kind kind, String key) {
		return Mockito.mockingDetails(this.messenger)
			.getInvocations()
			.stream()
			.filter((call) -> call.getArgument(0) == kind && key.equals(call.getArgument(1)))
			.count();
	}

	@Test
	void ofAMessageIsZero() {
		String room = this.server.room("anna", "bert");
		Mockito.clearInvocations(this.messenger);
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			for (int i = 0; i < 20; i++) {
				String clientId = "c" + i;
				anna.expectReceipt(anna.say(room, clientId, "text"));
				anna.expectEvent("me", (event) -> event.path("clientId").asString().equals(clientId));
			}
		}
		this.server.user("anna").say(room, "http", "text");
		assertThat(broadcasts(NodeSignal.Kind.USER, "anna")).isZero();
		Mockito.verify(this.messenger, Mockito.never())
			.broadcast(ArgumentMatchers.eq(NodeSignal.Kind.USER), ArgumentMatchers.eq("bert"), ArgumentMatchers.any());
	}

	/** A reader who scrolls sends a marker for each message. */
	@Test
	void ofReadMarkersAreThoseOfTheLastOnes() {
		String room = this.server.room("anna", "bert");
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 200; i++) {
			positions.add(this.server.user("anna").say(room, "c" + i, "text"));
		}
		try (StompConnection bert = this.server.connectWithEvents("bert")) {
			bert.follow("s", room);
			Mockito.clearInvocations(this.messenger);
			long start = System.nanoTime();
			List<String> receipts = positions.stream()
				.map((position) -> bert.sendWithReceipt("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
						"{\"position\":" + position + "}"))
				.toList();
			bert.expectReceipts(receipts);
			bert.expectEvent("me", (event) -> event.path("read").asLong() == positions.getLast()
					&& event.path("unread").asLong() == 0);
			long tenths = (System.nanoTime() - start) / 100_000_000;
			assertThat(broadcasts(NodeSignal.Kind.USER, "bert")).isBetween(1L, tenths + 2);
			await().until(() -> broadcasts(NodeSignal.Kind.ROOM, room) > 0);
			assertThat(broadcasts(NodeSignal.Kind.ROOM, room)).isLessThanOrEqualTo(tenths / 10 + 2);
		}
	}

}
