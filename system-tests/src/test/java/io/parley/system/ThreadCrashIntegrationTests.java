package io.parley.system;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Kills the server while users reply in one thread and delete some of their replies:
 * nothing acknowledged is lost, and all counts are those of the replies.
 */
@Tag("exhaustive")
class ThreadCrashIntegrationTests {

	private static final String AUTHOR = "author";

	private static final String READER = "reader";

	private static final List<String> REPLYING = IntStream.range(0, 5).mapToObj((i) -> "user" + i).toList();

	/** More than anybody sends before the kill. */
	private static final int REPLIES = 10_000;

	private static final int PAGE = 200;

	@RegisterExtension
	final ChatServerProcess server = new ChatServerProcess("--chat.limits.sends-per-second=0");

	private final ChatApi api = new ChatApi(this.server.url());

	/** The positions that were acknowledged. */
	private final Queue<Long> replied = new ConcurrentLinkedQueue<>();

	private final Queue<Long> deleted = new ConcurrentLinkedQueue<>();

	@Test
	void losesNothingAcknowledgedWhenKilledAndCountsExactly() throws Exception {
		this.server.start();
		List<String> users = new ArrayList<>(REPLYING);
		users.addAll(List.of(AUTHOR, READER));
		users.forEach(this.api::register);
		String author = this.api.login(AUTHOR);
		String reader = this.api.login(READER);
		String room = this.api.createRoom(author, "Room", users);
		this.api.post(author, room, "root", "text");
		long root = this.api.history(author, room).getLast().path("position").asLong();
		this.api.followThread(reader, room, root);
		killWhileReplying(reader, room, root);
		this.server.start();
		assertCounts(room, root);
	}

	private void killWhileReplying(String reader, String room, long root) throws Exception {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (String user : REPLYING) {
				String own = this.api.login(user);
				threads.submit(() -> {
					for (int i = 0; i < REPLIES; i++) {
						long reply = this.api.reply(own, room, root, "c" + i);
						this.replied.add(reply);
						if (i % 3 == 0) {
							this.api.deleteMessage(own, room, reply);
							this.deleted.add(reply);
						}
					}
				});
			}
			Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> this.replied.size() > 20 * REPLYING.size());
			this.api.readThread(reader, room, root, this.replied.element());
			this.server.kill9();
		}
	}

	private void assertCounts(String room, long root) {
		String author = this.api.login(AUTHOR);
		List<JsonNode> events = this.api.history(author, room);
		List<Long> replies = events.stream()
			.filter((event) -> event.path("type").asString().equals("thread.posted"))
			.map((event) -> event.path("position").asLong())
			.toList();
		List<Long> deletions = events.stream()
			.filter((event) -> event.path("type").asString().equals("message.deleted"))
			.map((event) -> event.path("target").asLong())
			.toList();
		assertThat(replies).containsAll(this.replied);
		assertThat(deletions).containsAll(this.deleted).doesNotHaveDuplicates();
		JsonNode thread = this.api.view(author, room).getFirst().path("thread");
		assertThat(thread.path("replies").asInt()).isEqualTo(replies.size() - deletions.size());
		assertThat(thread.path("lastPosition").asLong()).isEqualTo(replies.getLast());
		assertUnread(author, room, root, replies, deletions);
		String reader = this.api.login(READER);
		assertUnread(reader, room, root, replies, deletions);
		assertThat(this.api.threads(reader)).hasSize(1);
		assertUnread(this.api.login(REPLYING.getFirst()), room, root, replies, deletions);
	}

	private void assertUnread(String token, String room, long root, List<Long> replies, Collection<Long> deletions) {
		JsonNode page = this.api.thread(token, room, root, PAGE);
		assertThat(page.path("messages").valueStream().map((reply) -> reply.path("position").asLong()).toList())
			.isEqualTo(replies.subList(Math.max(0, replies.size() - PAGE), replies.size()));
		assertThat(page.path("following").asBoolean()).isTrue();
		long read = page.path("read").asLong();
		assertThat(page.path("unread").asLong())
			.isEqualTo(replies.stream().filter((reply) -> reply > read && !deletions.contains(reply)).count());
	}

}
