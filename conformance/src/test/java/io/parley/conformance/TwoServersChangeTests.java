package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.BackendCondition;
import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Changes of one message that cross on two servers end alike for everybody. */
@Relay
@ExtendWith(BackendCondition.class)
class TwoServersChangeTests {

	private static final int ROUNDS = 30;

	@RegisterExtension
	static final SharedTwoServers servers = new SharedTwoServers();

	@Test
	void endAlikeForAllClientsAndTheView() throws Exception {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		List<ChatApi> devices = List.of(both.one().user("anna"), both.two().user("anna"));
		CyclicBarrier together = new CyclicBarrier(2);
		List<MessageCopy> copies = new ArrayList<>();
		try (StompConnection one = both.one().connect("bert");
				StompConnection two = both.two().connect("bert");
				ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			one.follow("s", room, 0);
			two.follow("s", room, 0);
			for (int round = 0; round < ROUNDS; round++) {
				long target = devices.getFirst().say(room, "m" + round, "first");
				await().until(() -> !devices.getLast().history(room, "?after=" + (target - 1)).isEmpty());
				List<Future<Integer>> changes = new ArrayList<>();
				for (int device = 0; device < 2; device++) {
					ChatApi api = devices.get(device);
					String id = "r" + round + "d" + device;
					boolean deletes = round % 3 == device;
					boolean pins = round % 2 == 0 || device == 0;
					changes.add(threads.submit(() -> {
						together.await();
						// The one of the two devices that ends the pin may come first.
						api.pin(room, target, pins);
						return deletes ? api.deleteMessage(room, target).status()
								: api.edit(room, target, id, "by " + id).status();
					}));
				}
				for (Future<Integer> change : changes) {
					assertThat(change.get()).isIn(202, 409);
				}
			}
			long end = devices.getFirst().say(room, "end", "end");
			for (StompConnection connection : List.of(one, two)) {
				connection.expectMessage("s", "end");
				List<JsonNode> events = connection.events("s").stream().skip(1).toList();
				Chain.assertUnbroken(events, 0);
				copies.add(new MessageCopy().events(events));
			}
			assertThat(copies.getLast().messages()).isEqualTo(copies.getFirst().messages());
			for (ChatApi device : devices) {
				await().until(() -> device.history(room, "?limit=1").getLast().path("position").asLong() == end);
				assertThat(new MessageCopy().views(device.view(room, "&limit=200")).messages())
					.isEqualTo(copies.getFirst().messages());
				assertThat(new MessageCopy().events(device.history(room, "?after=0&limit=200")).messages())
					.isEqualTo(copies.getFirst().messages());
				assertThat(device.pins(room)).extracting((view) -> view.path("position").asLong())
					.containsExactlyInAnyOrderElementsOf(copies.getFirst().pinned());
			}
			assertDeletionsWon(room, copies.getFirst().messages(), both);
		}
	}

	@Test
	void unreadRepliesAreTheSameOnBothServers() {
		TwoServers both = servers.get();
		String room = both.one().room("anna", "bert");
		long root = both.one().user("anna").say(room, "root", "root");
		String thread = "/api/rooms/" + room + "/threads/" + root;
		try (StompConnection one = both.one().connectWithEvents("anna");
				StompConnection two = both.two().connectWithEvents("anna")) {
			List<Long> replies = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				replies.add(both.one()
					.user("bert")
					.post(thread + "/messages", Map.of("clientId", "r" + i, "text", "reply"))
					.expect(202)
					.body()
					.path("position")
					.asLong());
			}
			List.of(one, two).forEach((device) -> expectUnread(device, root, 3));
			await().until(() -> both.two().user("bert").deleteMessage(room, replies.getFirst()).status() == 202);
			List.of(one, two).forEach((device) -> expectUnread(device, root, 2));
			both.two().user("anna").put(thread + "/read", Map.of("position", replies.getLast())).expect(204);
			List.of(one, two).forEach((device) -> expectUnread(device, root, 0));
		}
	}

	private static void expectUnread(StompConnection device, long root, int unread) {
		device.expectEvent("me", (event) -> event.path("type").asString().equals("thread.changed")
				&& event.path("thread").asLong() == root && event.path("unread").asInt(-1) == unread);
	}

	private static void assertDeletionsWon(String room, Map<Long, MessageCopy.Message> messages, TwoServers both) {
		List<JsonNode> feed = both.one().user("bert").history(room, "?after=0&limit=200");
		feed.stream()
			.filter((event) -> event.path("type").asString().equals("message.deleted"))
			.forEach((event) -> assertThat(messages.get(event.path("target").asLong())).isNotNull()
				.satisfies((message) -> assertThat(message.deleted() && message.text().isEmpty()).isTrue()));
		assertThat(messages.values()).filteredOn(MessageCopy.Message::deleted).hasSize(2 * ROUNDS / 3);
	}

}
