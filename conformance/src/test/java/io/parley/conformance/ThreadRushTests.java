package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Fifty members reply in one thread at once, repeat their replies and delete them. */
@UnlimitedServer
@Tag("exhaustive")
class ThreadRushTests {

	private static final int ROUNDS = 6;

	private static final List<String> USERS = IntStream.range(0, 50).mapToObj((i) -> "reply" + i).toList();

	private final ChatServer server;

	private final JdbcTemplate jdbc;

	ThreadRushTests(ChatServer server, JdbcTemplate jdbc) {
		this.server = server;
		this.jdbc = jdbc;
	}

	@Test
	@FanOut
	void countsEachReplyOnce() throws Exception {
		String room = this.server.room("anna");
		ChatApi anna = this.server.user("anna");
		USERS.parallelStream().forEach((user) -> {
			this.server.user(user);
			anna.join(room, user).expect(201);
		});
		long root = anna.say(room, "root", "root");
		CyclicBarrier together = new CyclicBarrier(USERS.size());
		List<Future<?>> all = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (String user : USERS) {
				all.add(threads.submit(() -> {
					replyAndDelete(room, root, user, together);
					return null;
				}));
			}
			for (Future<?> one : all) {
				one.get();
			}
		}
		int left = USERS.size() * (ROUNDS - 1);
		assertThat(anna.view(room, "").getFirst().at("/thread/replies").asInt()).isEqualTo(left);
		assertUnread(room, root, left);
		List<JsonNode> replies = new ArrayList<>();
		for (List<JsonNode> page = page(room, root, 0); !page.isEmpty(); page = page(room, root,
				replies.getLast().path("position").asLong())) {
			replies.addAll(page);
		}
		assertThat(Chain.positions(replies)).doesNotHaveDuplicates().isSorted().hasSize(USERS.size() * ROUNDS);
		assertThat(replies.stream().filter((reply) -> reply.path("deleted").asBoolean())).hasSize(USERS.size());
		long last = anna.history(room, "").getLast().path("position").asLong();
		await()
			.until(() -> this.jdbc.queryForObject("SELECT COUNT(*) FROM room_event WHERE room_id = ? AND position = ?",
					Integer.class, room, last) == 1);
		assertUnread(room, root, left);
		for (int i = 0; i < replies.size(); i += 37) {
			long position = replies.get(i).path("position").asLong();
			anna.put("/api/rooms/" + room + "/threads/" + root + "/read", Map.of("position", position)).expect(204);
			assertUnread(room, root,
					(int) replies.stream().skip(i + 1).filter((reply) -> !reply.path("deleted").asBoolean()).count());
		}
	}

	private void replyAndDelete(String room, long root, String user, CyclicBarrier together) throws Exception {
		try (StompConnection connection = this.server.connect(user)) {
			together.await();
			List<String> receipts = new ArrayList<>();
			for (int round = 0; round < ROUNDS; round++) {
				String reply = "{\"clientId\":\"r" + round + "\",\"text\":\"text\",\"thread\":" + root + "}";
				for (int copy = 0; copy < 2; copy++) {
					receipts.add(connection.sendWithReceipt("SEND",
							Map.of("destination", "/app/rooms." + room + ".send"), reply));
				}
			}
			connection.expectReceipts(receipts);
			ChatApi api = this.server.user(user);
			long own = api
				.post("/api/rooms/" + room + "/threads/" + root + "/messages", Map.of("clientId", "r0", "text", "text"))
				.expect(202)
				.body()
				.path("position")
				.asLong();
			together.await();
			// They cross: one of them has an effect.
			this.server.user("anna").deleteMessage(room, own);
			api.deleteMessage(room, own);
		}
	}

	private void assertUnread(String room, long root, int unread) {
		JsonNode page = this.server.user("anna")
			.get("/api/rooms/" + room + "/threads/" + root + "/messages?limit=1")
			.expect(200)
			.body();
		assertThat(page.path("unread").asInt()).isEqualTo(unread);
	}

	private List<JsonNode> page(String room, long root, long after) {
		return this.server.user("anna")
			.get("/api/rooms/" + room + "/threads/" + root + "/messages?limit=100&after=" + after)
			.expect(200)
			.body()
			.path("messages")
			.valueStream()
			.toList();
	}

}
