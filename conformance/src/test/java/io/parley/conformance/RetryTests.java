package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests a second message with the same {@code clientId}. */
@FanOut
@Relay
@UnlimitedServer
class RetryTests {

	private static final int DEVICES = 8;

	private final ChatServer server;

	RetryTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void isOneMessageWhenTheConnectionIsCutBeforeTheReceipt() {
		String room = this.server.room("anna", "bert");
		List<String> expected = new ArrayList<>();
		try (StompConnection bert = this.server.connect("bert")) {
			bert.follow("s", room);
			for (int i = 0; i < 25; i++) {
				try (StompConnection cut = this.server.connect("anna")) {
					cut.say(room, "c" + i, "text");
					cut.abort();
				}
				try (StompConnection again = this.server.connect("anna")) {
					again.expectReceipt(again.say(room, "c" + i, "text"));
				}
				expected.add("c" + i);
			}
			this.server.user("anna").say(room, "end", "end");
			expected.add("end");
			bert.expectMessage("s", "end");
			assertThat(clientIds(bert.events("s"))).isEqualTo(expected);
			assertThat(clientIds(this.server.user("bert").history(room, "?limit=200"))).isEqualTo(expected);
		}
	}

	@Test
	void isOneMessageWhenManyDevicesSendItAtOnce() throws Exception {
		String room = this.server.room("anna", "bert");
		List<StompConnection> devices = new ArrayList<>();
		CyclicBarrier together = new CyclicBarrier(DEVICES);
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
				StompConnection bert = this.server.connect("bert")) {
			bert.follow("s", room);
			List<Future<List<Long>>> answers = new ArrayList<>();
			for (int i = 0; i < DEVICES; i++) {
				StompConnection device = this.server.connectWithEvents("anna");
				devices.add(device);
				answers.add(threads.submit(() -> sendTwenty(device, room, together)));
			}
			List<Long> positions = answers.getFirst().get();
			for (Future<List<Long>> answer : answers) {
				assertThat(answer.get()).isEqualTo(positions);
			}
			this.server.user("anna").say(room, "end", "end");
			bert.expectMessage("s", "end");
			devices.forEach((device) -> assertOnePositionEach(device, positions));
			assertThat(clientIds(bert.events("s"))).hasSize(21).doesNotHaveDuplicates();
			assertThat(clientIds(this.server.user("bert").history(room, "?limit=200"))).hasSize(21)
				.doesNotHaveDuplicates();
		}
		finally {
			devices.forEach(StompConnection::close);
		}
	}

	/** Returns the positions in the {@code accepted} events of the device. */
	private static List<Long> sendTwenty(StompConnection device, String room, CyclicBarrier together) throws Exception {
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			String clientId = "c" + i;
			together.await(1, TimeUnit.MINUTES);
			device.expectReceipt(device.say(room, clientId, "text"));
			positions.add(expectAccepted(device, clientId).path("position").asLong());
		}
		return positions;
	}

	/** Asserts that all {@code accepted} events of the device have these positions. */
	private static void assertOnePositionEach(StompConnection device, List<Long> positions) {
		expectAccepted(device, "end");
		assertThat(device.events("me")
			.stream()
			.filter((event) -> event.path("type").asString().equals("accepted"))
			.filter((event) -> event.path("clientId").asString().startsWith("c"))
			.map((event) -> event.path("position").asLong())).containsOnlyElementsOf(positions);
	}

	private static JsonNode expectAccepted(StompConnection device, String clientId) {
		return device.expectEvent("me", (event) -> event.path("type").asString().equals("accepted")
				&& event.path("clientId").asString().equals(clientId));
	}

	private static List<String> clientIds(List<JsonNode> events) {
		return events.stream()
			.filter((event) -> event.path("type").asString().equals("message.posted"))
			.map((event) -> event.path("clientId").asString())
			.toList();
	}

}
