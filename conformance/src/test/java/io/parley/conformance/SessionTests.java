package io.parley.conformance;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@UnlimitedServer
class SessionTests {

	private static final int NORMAL = 1000;

	private final ChatServer server;

	SessionTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void confirmsDisconnectAfterAllSendsBeforeIt() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			List<String> receipts = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				receipts.add(anna.say(room, "c" + i, "text"));
			}
			String last = anna.sendWithReceipt("DISCONNECT", Map.of(), "");
			assertThat(anna.expectClosed()).isEqualTo(NORMAL);
			List<String> received = anna.frames()
				.stream()
				.filter((frame) -> frame.is("RECEIPT"))
				.map((frame) -> frame.header("receipt-id"))
				.toList();
			assertThat(received).hasSize(51).endsWith(last);
			assertThat(new HashSet<>(received)).containsAll(receipts);
		}
		assertThat(this.server.user("anna").history(room, "?limit=200")).hasSize(51);
	}

	@Test
	void closesNormallyAfterDisconnectWithoutReceipt() {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.send("DISCONNECT", Map.of(), "");
			assertThat(anna.expectClosed()).isEqualTo(NORMAL);
			assertThat(anna.frames()).noneMatch((frame) -> frame.is("ERROR"));
		}
	}

	@Test
	void keepsMessagesOfASessionThatHasEnded() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.expectReceipt(anna.say(room, "c1", "text"));
			anna.abort();
		}
		assertThat(this.server.user("anna").history(room, "?limit=1").getFirst().path("clientId").asString())
			.isEqualTo("c1");
	}

	@Test
	void continuesAfterEachError() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connectWithEvents("anna")) {
			anna.follow("s", room);
			for (int i = 0; i < 10; i++) {
				anna.expectError("/nowhere", "{}");
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
				anna.expectMessage("s", "c" + i);
			}
			assertThat(anna.isClosed()).isFalse();
		}
	}

	@Test
	void completesTheCloseHandshakeWhileMessagesArrive() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connect("anna")) {
			for (int round = 0; round < 20; round++) {
				StompConnection bert = this.server.connect("bert");
				bert.follow("s", room);
				String last = "";
				for (int i = 0; i < 20; i++) {
					last = anna.say(room, round + "-" + i, "x".repeat(5_000));
				}
				bert.expectMessage("s", round + "-0");
				bert.close();
				assertThat(bert.expectClosed()).isEqualTo(NORMAL);
				anna.expectReceipt(last);
			}
		}
	}

	@Test
	void answersPingsBetweenMessages() {
		String room = this.server.room("anna");
		try (StompConnection anna = this.server.connect("anna")) {
			anna.follow("s", room);
			List<String> pings = IntStream.range(0, 50).mapToObj((i) -> (i > 0) ? "ping " + i : "").toList();
			for (String ping : pings) {
				anna.say(room, "c" + ping, "text");
				anna.ping(ping);
			}
			pings.forEach((ping) -> anna.expectMessage("s", "c" + ping));
			Awaitility.await().untilAsserted(() -> assertThat(anna.pongs()).containsExactlyElementsOf(pings));
		}
	}

	@Test
	void toleratesHeartBeatsAtAnyTime() {
		try (StompConnection anna = this.server.connect("anna")) {
			anna.text("\n");
			anna.text("\r\n");
			anna.binary(new byte[] { '\n' });
			anna.subscribe("me", "/user/queue/events");
		}
	}

	@Test
	void showsNoSessionIdToOthers() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			anna.follow("s", room);
			bert.follow("s", room);
			bert.expectReceipt(bert.say(room, "c1", "text"));
			anna.expectMessage("s", "c1");
			assertThat(anna.frames()).allSatisfy(
					(frame) -> assertThat(frame.header("message-id")).doesNotContainPattern("[0-9a-f]{8}-[0-9a-f]{4}"));
		}
	}

}
