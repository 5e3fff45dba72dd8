package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@Relay
@UnlimitedServer
class OrderTests {

	private static final int SENDERS = 16;

	private static final int EACH = 12;

	private final ChatServer server;

	OrderTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void isTheSameForEverySubscriberAndTheHistory() throws Exception {
		String room = this.server.room("anna", senders());
		long start = this.server.user("anna").listed(room).path("head").asLong();
		try (StompConnection one = this.server.connect("anna");
				StompConnection two = this.server.connect("sender1");
				StompConnection three = this.server.connect("sender2")) {
			List<StompConnection> readers = List.of(one, two, three);
			readers.forEach((reader) -> reader.follow("s", room));
			sendFromAll(room);
			this.server.user("anna").say(room, "end", "end");
			readers.forEach((reader) -> reader.expectMessage("s", "end"));
			List<Long> order = Chain.positions(one.events("s").stream().skip(1).toList());
			assertThat(order).hasSize(SENDERS * EACH + 1).isSorted().doesNotHaveDuplicates();
			assertThat(Chain.positions(two.events("s").stream().skip(1).toList())).isEqualTo(order);
			assertThat(Chain.positions(three.events("s").stream().skip(1).toList())).isEqualTo(order);
			List<JsonNode> history = this.server.user("sender1").history(room, "?limit=200");
			assertThat(Chain.positions(history.stream().skip(1).toList())).isEqualTo(order);
			assertEachSenderInOrder(history);
			readers.forEach((reader) -> Chain.assertUnbroken(reader.events("s").stream().skip(1).toList(), start));
			Chain.assertUnbroken(history.stream().skip(1).toList(), start);
		}
	}

	private static String[] senders() {
		return IntStream.range(0, SENDERS).mapToObj((i) -> "sender" + i).toArray(String[]::new);
	}

	private void sendFromAll(String room) throws Exception {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<?>> senders = new ArrayList<>();
			for (int i = 0; i < SENDERS; i++) {
				int number = i;
				senders.add(threads.submit(() -> send(room, number)));
			}
			for (Future<?> sender : senders) {
				sender.get();
			}
		}
	}

	/** Sends all messages without waiting between them. */
	private void send(String room, int number) {
		try (StompConnection sender = this.server.connect("sender" + number)) {
			String receipt = "";
			for (int i = 0; i < EACH; i++) {
				receipt = sender.say(room, number + "/" + i, "text");
			}
			sender.expectReceipt(receipt);
		}
	}

	private static void assertEachSenderInOrder(List<JsonNode> history) {
		for (int i = 0; i < SENDERS; i++) {
			String prefix = i + "/";
			assertThat(history.stream()
				.map((event) -> event.path("clientId").asString(""))
				.filter((id) -> id.startsWith(prefix))
				.map((id) -> Integer.parseInt(id.substring(prefix.length())))).hasSize(EACH).isSorted();
		}
	}

}
