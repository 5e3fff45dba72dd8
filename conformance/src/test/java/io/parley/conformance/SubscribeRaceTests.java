package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Subscribes while messages are sent. */
@FanOut
@Relay
@UnlimitedServer
class SubscribeRaceTests {

	private static final int SUBSCRIPTIONS = 50;

	private final ChatServer server;

	SubscribeRaceTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void losesNothingBetweenTheConfirmationAndLiveDelivery() throws Exception {
		String room = this.server.room("anna", "bert");
		long start = this.server.user("anna").listed(room).path("head").asLong();
		AtomicBoolean enough = new AtomicBoolean();
		List<StompConnection> berts = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<JsonNode> begun = new ArrayList<>(List.of(follow(berts, room)));
			StompConnection first = berts.getFirst();
			Future<?> sender = threads.submit(() -> keepSending(room, enough, first));
			try {
				for (int i = 1; i < SUBSCRIPTIONS; i++) {
					begun.add(follow(berts, room));
				}
			}
			finally {
				enough.set(true);
			}
			sender.get();
			this.server.user("anna").say(room, "end", "end");
			assertAllReceived(berts, begun, wholeHistory(room, start));
			assertThat(begun.getLast().path("head").asLong()).as("messages were sent meanwhile").isGreaterThan(start);
		}
		finally {
			berts.forEach(StompConnection::close);
		}
	}

	private JsonNode follow(List<StompConnection> berts, String room) {
		StompConnection bert = this.server.connect("bert");
		berts.add(bert);
		return bert.follow("s", room);
	}

	/**
	 * Asserts that each subscription received exactly the events after its initial head.
	 */
	private static void assertAllReceived(List<StompConnection> berts, List<JsonNode> begun, List<JsonNode> all) {
		for (int i = 0; i < SUBSCRIPTIONS; i++) {
			StompConnection bert = berts.get(i);
			bert.expectMessage("s", "end");
			long head = begun.get(i).path("head").asLong();
			List<JsonNode> received = bert.events("s").stream().skip(1).toList();
			assertThat(Chain.positions(received)).as("subscription %d after %d", i, head)
				.isEqualTo(Chain.positions(all).stream().filter((position) -> position > head).toList());
			Chain.assertUnbroken(received, head);
		}
	}

	/**
	 * Some brokers drop the server's connection when a subscription ends at such a
	 * moment.
	 */
	@Test
	void letsSessionsConnectAndDisconnectWhileMessagesAreSent() throws Exception {
		String room = this.server.room("anna", "bert");
		AtomicBoolean enough = new AtomicBoolean();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<?> sender = threads.submit(() -> keepSending(room, enough, null));
			try {
				for (int i = 0; i < SUBSCRIPTIONS; i++) {
					try (StompConnection bert = this.server.connect("bert")) {
						bert.follow("s", room);
						bert.unsubscribe("s");
					}
				}
			}
			finally {
				enough.set(true);
			}
			sender.get();
		}
	}

	/** Sends no faster than the reader receives, so that the reader gets no gap. */
	private void keepSending(String room, AtomicBoolean enough, @Nullable StompConnection reader) {
		try (StompConnection anna = this.server.connect("anna")) {
			for (int i = 0; !enough.get(); i++) {
				anna.expectReceipt(anna.say(room, "c" + i, "text"));
				if (reader != null && i % 10 == 9) {
					String clientId = "\"clientId\":\"c" + i + "\"";
					reader.expect((frame) -> frame.isMessageOf("s") && frame.body().contains(clientId));
				}
			}
		}
	}

	private List<JsonNode> wholeHistory(String room, long start) {
		List<JsonNode> all = new ArrayList<>();
		long after = start;
		for (List<JsonNode> page = page(room, after); !page.isEmpty(); page = page(room, after)) {
			all.addAll(page);
			after = page.getLast().path("position").asLong();
		}
		return all;
	}

	private List<JsonNode> page(String room, long after) {
		return this.server.user("anna").history(room, "?limit=200&after=" + after);
	}

}
