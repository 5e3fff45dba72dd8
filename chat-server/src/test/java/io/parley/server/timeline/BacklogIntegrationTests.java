package io.parley.server.timeline;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.parley.log.LogReader;
import io.parley.log.RoomLog;
import io.parley.persistence.PersistenceWorker;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/** The persistence worker lags behind, and the memory holds almost nothing. */
@UnlimitedServer
@TestPropertySource(properties = { "chat.history.tail=8KB", "chat.log.partitions=1" })
@Import(BacklogIntegrationTests.CountedReads.class)
class BacklogIntegrationTests {

	private static final int ROOMS = 10;

	private static final int MESSAGES = 30;

	private final ChatServer server;

	private final PersistenceWorker persistence;

	private final CountedReads reads;

	BacklogIntegrationTests(ChatServer server, PersistenceWorker persistence, CountedReads reads) {
		this.server = server;
		this.persistence = persistence;
		this.reads = reads;
	}

	@AfterEach
	void restartPersistence() {
		this.persistence.start();
	}

	@Test
	void listsRoomsWithoutReadingTheBacklogForEach() {
		this.persistence.stop();
		List<String> rooms = new ArrayList<>();
		List<Long> heads = new ArrayList<>();
		for (int room = 0; room < ROOMS; room++) {
			rooms.add(this.server.room("lena"));
			for (int i = 1; i < MESSAGES; i++) {
				this.server.user("lena").say(rooms.get(room), "c" + i, "text");
			}
			heads.add(this.server.user("lena").say(rooms.get(room), "last", "text " + room));
		}
		this.reads.records.set(0);
		JsonNode listed = this.server.user("lena").get("/api/rooms").expect(200).body();
		assertThat(this.reads.records.get()).isLessThan(ROOMS * MESSAGES);
		for (JsonNode one : listed) {
			int room = rooms.indexOf(one.path("id").asString());
			assertThat(one.path("head").asLong()).isEqualTo(heads.get(room));
			assertThat(one.path("unread").asInt()).isZero();
			assertThat(one.path("lastEvent").path("text").asString()).isEqualTo("text " + room);
		}
		assertThat(listed).hasSize(ROOMS);
	}

	@Test
	void showsWhatChangedWithAllItsChanges() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		long target = anna.say(room, "c1", "first");
		this.persistence.stop();
		long edit = anna.edit(room, target, "c2", "second").expect(202).body().path("position").asLong();
		long first = anna.react(room, target, ":a:", true).expect(202).body().path("position").asLong();
		this.server.user("bert").react(room, target, ":a:", true).expect(202);
		List<JsonNode> view = anna.view(room, "");
		assertThat(view.getFirst().path("text").asString()).isEqualTo("second");
		assertThat(view.getFirst().at("/reactions/:a:/n").asInt()).isEqualTo(2);
		assertThat(anna.view(room, "&changedAfter=" + edit)).isEqualTo(view);
		assertThat(anna.view(room, "&changedAfter=" + first)).isEqualTo(view);
	}

	@Test
	void countsAndListsMentionsThatAreNotStored() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		ChatApi bert = this.server.user("bert");
		long edited = mention(anna, room, "c1", List.of());
		long cleared = mention(anna, room, "c2", List.of("bert"));
		long deleted = mention(anna, room, "c3", List.of("bert"));
		this.persistence.stop();
		anna.patch("/api/rooms/" + room + "/messages/" + edited, mentions("e1", List.of("bert"))).expect(202);
		anna.patch("/api/rooms/" + room + "/messages/" + cleared, mentions("e2", List.of())).expect(202);
		anna.deleteMessage(room, deleted).expect(202);
		long posted = mention(anna, room, "c4", List.of("bert"));
		long taken = mention(anna, room, "c5", List.of("bert"));
		anna.deleteMessage(room, taken).expect(202);
		assertThat(listed(bert)).containsExactly(posted, edited);
		for (int i = 0; i < MESSAGES; i++) {
			anna.say(room, "fill" + i, "text that fills the memory".repeat(20));
		}
		assertThat(bert.listed(room).path("mentions").asInt()).as("also what memory has dropped").isEqualTo(2);
		assertThat(listed(bert)).containsExactly(posted, edited);
		bert.put("/api/rooms/" + room + "/read", Map.of("position", edited)).expect(204);
		Awaitility.await().until(() -> bert.listed(room).path("mentions").asInt() == 1);
		this.persistence.start();
		Awaitility.await().until(() -> listed(bert).equals(List.of(posted, edited)));
		assertThat(bert.listed(room).path("mentions").asInt()).isOne();
	}

	private static long mention(ChatApi user, String room, String clientId, List<String> users) {
		return user.post("/api/rooms/" + room + "/messages", mentions(clientId, users))
			.expect(202)
			.body()
			.path("position")
			.asLong();
	}

	private static Map<String, Object> mentions(String clientId, List<String> users) {
		return Map.of("clientId", clientId, "text", "text", "mentions", Map.of("users", users));
	}

	private static List<Long> listed(ChatApi user) {
		List<Long> listed = new ArrayList<>();
		user.get("/api/me/mentions")
			.expect(200)
			.body()
			.path("mentions")
			.forEach((mention) -> listed.add(mention.path("position").asLong()));
		return listed;
	}

	@Test
	void tellsNobodyOfThreadsWhoHasLeftTheRoom() {
		String room = this.server.room("anna", "bert", "cleo");
		ChatApi anna = this.server.user("anna");
		long root = anna.say(room, "c1", "root");
		this.persistence.stop();
		String replies = "/api/rooms/" + room + "/threads/" + root + "/messages";
		try (StompConnection here = this.server.connectWithEvents("anna");
				StompConnection left = this.server.connectWithEvents("bert")) {
			this.server.user("bert").post(replies, Map.of("clientId", "c2", "text", "first")).expect(202);
			expectThread(here, 1);
			anna.leave(room, "bert").expect(204);
			left.expectEvent("me", (event) -> event.path("type").asString().equals("room.removed"));
			int before = left.events("me").size();
			this.server.user("cleo").post(replies, Map.of("clientId", "c3", "text", "second")).expect(202);
			expectThread(here, 2);
			// Sent after what this server sends of the same replies.
			String other = this.server.room("bert", "cleo");
			long otherRoot = this.server.user("bert").say(other, "c4", "root");
			this.server.user("cleo")
				.post("/api/rooms/" + other + "/threads/" + otherRoot + "/messages",
						Map.of("clientId", "c5", "text", "reply"))
				.expect(202);
			left.expectEvent("me", (event) -> event.path("thread").asLong() == otherRoot);
			assertThat(left.events("me").stream().skip(before))
				.noneMatch((event) -> event.path("thread").asLong() == root);
		}
	}

	private static void expectThread(StompConnection connection, int unread) {
		connection.expectEvent("me", (event) -> event.path("type").asString().equals("thread.changed")
				&& event.path("unread").asInt() == unread);
	}

	@Test
	void ordersThreadsByRepliesThatAreNotStored() {
		String room = this.server.room("anna", "bert");
		ChatApi anna = this.server.user("anna");
		List<Long> roots = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			long root = anna.say(room, "c" + i, "root");
			this.server.user("bert").put("/api/rooms/" + room + "/threads/" + root + "/follow", "").expect(204);
			roots.add(root);
		}
		for (int round = 0; round < 2; round++) {
			for (long root : roots) {
				anna.post("/api/rooms/" + room + "/threads/" + root + "/messages",
						Map.of("clientId", "r" + round + root, "text", "reply"))
					.expect(202);
			}
			List<Long> newestFirst = roots.reversed();
			List<Long> listed = new ArrayList<>();
			this.server.user("bert")
				.get("/api/me/threads?limit=2")
				.expect(200)
				.body()
				.path("threads")
				.forEach((thread) -> listed.add(thread.path("root").asLong()));
			assertThat(listed).isEqualTo(newestFirst.subList(0, 2));
			roots = newestFirst;
			this.persistence.stop();
		}
	}

	/**
	 * Counts the records read from the log by readers other than the worker and the tail.
	 */
	static class CountedReads implements BeanPostProcessor {

		private final AtomicLong records = new AtomicLong();

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return (bean instanceof RoomLog log) ? proxy(RoomLog.class, log) : bean;
		}

		private <T> T proxy(Class<T> type, T target) {
			return type.cast(Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { type },
					(proxy, method, arguments) -> counted(method, call(target, method, arguments))));
		}

		private Object counted(Method method, Object result) {
			if (method.getName().equals("poll")) {
				this.records.addAndGet(((List<?>) result).size());
			}
			return method.getName().equals("follow") ? proxy(LogReader.class, (LogReader) result) : result;
		}

		private static Object call(Object target, Method method, Object[] arguments) throws Throwable {
			try {
				return method.invoke(target, arguments);
			}
			catch (InvocationTargetException ex) {
				throw ex.getCause();
			}
		}

	}

}
