package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BinaryOperator;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.MessageCopy;
import io.parley.server.testing.StompConnection;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two devices of each of four users do at random what people do in a room: they post,
 * edit, delete, react, reply and pin. Their connections are cut at random, and resume on
 * one of the servers. If servers are killed meanwhile, calls are repeated until they are
 * answered. In the end each device has the state that a new client and the view of each
 * server have.
 */
final class RandomConversation {

	private static final List<String> USERS = List.of("anna", "bert", "carl", "dora");

	private static final int DEVICES = 8;

	private static final List<String> KEYS = List.of("\ud83d\udc4d", "\u2764\ufe0f", ":party:");

	/** Two devices choose the same message, or a device chooses one of another user. */
	private static final Set<String> REFUSALS = Set.of("not-allowed", "not-found", "too-late", "too-many-reactions");

	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private static final Duration PAUSE = Duration.ofMillis(100);

	private final List<ChatServer> servers;

	private final boolean killed;

	private final String room;

	private final long start;

	/** The positions of all messages that were accepted. */
	private final List<Long> messages = new CopyOnWriteArrayList<>();

	/** The last edit of each message that was accepted. */
	private final Map<Long, Edit> edits = new ConcurrentHashMap<>();

	private final Set<Long> deleted = ConcurrentHashMap.newKeySet();

	private final ConcurrentLinkedQueue<String> unexpected = new ConcurrentLinkedQueue<>();

	private record Edit(long position, String text) {
	}

	/** Servers that run until the end. */
	RandomConversation(List<ChatServer> servers) {
		this(servers, false);
	}

	/**
	 * Servers of which some may be killed.
	 * @param killed whether a call without an answer is repeated
	 */
	RandomConversation(List<ChatServer> servers, boolean killed) {
		this.servers = servers;
		this.killed = killed;
		USERS.forEach((user) -> servers.forEach((server) -> server.user(user)));
		this.room = servers.getFirst().room("anna", "bert", "carl", "dora");
		this.start = servers.getFirst().user("anna").listed(this.room).path("head").asLong();
	}

	/**
	 * Runs the conversation and checks its end.
	 * @param steps how much each device does
	 */
	void run(int steps) throws Exception {
		List<Device> devices = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < DEVICES; i++) {
				devices.add(new Device(i));
			}
			List<Future<?>> running = new ArrayList<>();
			devices.forEach((device) -> running.add(threads.submit(() -> device.act(steps))));
			for (Future<?> one : running) {
				one.get();
			}
			assertThat(this.unexpected).as("answers").isEmpty();
			devices.forEach(Device::connectIfClosed);
			checkEnd(devices);
		}
		finally {
			devices.forEach(Device::close);
		}
	}

	/** Returns how many messages were accepted until now. */
	int accepted() {
		return this.messages.size();
	}

	private void checkEnd(List<Device> devices) {
		ChatApi reader = this.servers.getFirst().user("anna");
		// Reactions may be written up to a second later.
		await().atMost(PATIENCE).untilAsserted(() -> {
			Map<Long, MessageCopy.Message> expected = view(reader);
			assertThat(expected.keySet()).containsAll(this.messages);
			expected.forEach(this::assertAccepted);
			assertThat(state(new MessageCopy().events(feed(reader)))).as("a new client").isEqualTo(expected);
			for (ChatServer server : this.servers) {
				assertThat(view(server.user("bert"))).as("the view of each server").isEqualTo(expected);
			}
			for (Device device : devices) {
				assertThat(state(new MessageCopy().events(device.events()))).as("%s", device).isEqualTo(expected);
			}
		});
		devices.forEach((device) -> Chain.assertUnbroken(device.events(), this.start));
	}

	private void assertAccepted(long position, MessageCopy.Message message) {
		Edit edit = this.edits.get(position);
		assertThat(message.deleted()).as("deleted").isEqualTo(this.deleted.contains(position));
		if (edit != null && !message.deleted()) {
			assertThat(message.text()).isEqualTo(edit.text);
		}
	}

	private Map<Long, MessageCopy.Message> view(ChatApi api) {
		MessageCopy copy = new MessageCopy();
		long after = 0;
		List<JsonNode> page = api.view(this.room, "&limit=100&after=0");
		while (!page.isEmpty()) {
			copy.views(page);
			after = page.getLast().path("position").asLong();
			page = api.view(this.room, "&limit=100&after=" + after);
		}
		return state(copy);
	}

	/**
	 * Returns the messages without the positions of their last changes: a reply changes
	 * the message at the root of its thread, in ways that a copy does not have.
	 */
	private static Map<Long, MessageCopy.Message> state(MessageCopy copy) {
		Map<Long, MessageCopy.Message> state = new TreeMap<>();
		copy.messages()
			.forEach((position, message) -> state.put(position, new MessageCopy.Message(0, message.text(),
					message.edited(), message.deleted(), message.reactions(), message.pinned())));
		return state;
	}

	/** Makes a call, and repeats it while it fails because the server was killed. */
	private <T> T answered(Callable<T> call) {
		Instant end = Instant.now().plus(PATIENCE);
		while (true) {
			try {
				return call.call();
			}
			catch (Exception | AssertionError ex) {
				if (!this.killed || Instant.now().isAfter(end)) {
					throw new AssertionError(ex);
				}
				LockSupport.parkNanos(PAUSE.toNanos());
			}
		}
	}

	private List<JsonNode> feed(ChatApi api) {
		List<JsonNode> events = new ArrayList<>();
		List<JsonNode> page = api.history(this.room, "?limit=100&after=" + this.start);
		while (!page.isEmpty()) {
			events.addAll(page);
			page = api.history(this.room, "?limit=100&after=" + page.getLast().path("position").asLong());
		}
		return events;
	}

	/** One device; used by one thread at a time. */
	private final class Device {

		private final int number;

		private final String user;

		private final List<JsonNode> before = new ArrayList<>();

		private ChatServer server;

		private StompConnection connection;

		Device(int number) {
			this.number = number;
			this.user = USERS.get(number % USERS.size());
			this.server = RandomConversation.this.servers.get(number % RandomConversation.this.servers.size());
			this.connection = connect();
		}

		private StompConnection connect() {
			List<JsonNode> known = this.before;
			long last = known.isEmpty() ? RandomConversation.this.start : known.getLast().path("position").asLong();
			return answered(() -> {
				StompConnection opened = this.server.connect(this.user);
				JsonNode subscribed = opened.follow("s", RandomConversation.this.room, last);
				assertThat(subscribed.path("recovered").asBoolean()).isTrue();
				return opened;
			});
		}

		void connectIfClosed() {
			if (this.connection.isClosed()) {
				cut();
			}
		}

		/** Returns all events that this device has received. */
		List<JsonNode> events() {
			List<JsonNode> all = new ArrayList<>(this.before);
			this.connection.events("s").stream().skip(1).forEach(all::add);
			return all;
		}

		void act(int steps) {
			for (int step = 0; step < steps; step++) {
				connectIfClosed();
				int choice = ThreadLocalRandom.current().nextInt(100);
				if (choice < 8) {
					cut();
				}
				else if (choice < 35 || RandomConversation.this.messages.isEmpty()) {
					say("d" + this.number + "-" + step);
				}
				else {
					change(choice, "d" + this.number + "-" + step);
				}
			}
		}

		private void cut() {
			this.connection.abort();
			this.before.addAll(this.connection.events("s").stream().skip(1).toList());
			List<ChatServer> all = RandomConversation.this.servers;
			this.server = all.get(ThreadLocalRandom.current().nextInt(all.size()));
			this.connection = connect();
		}

		private void say(String clientId) {
			String text = "text " + clientId;
			RandomConversation.this.messages
				.add(answered(() -> this.server.user(this.user).say(RandomConversation.this.room, clientId, text)));
		}

		private void change(int choice, String clientId) {
			List<Long> all = RandomConversation.this.messages;
			// Mostly one of the newest, which others change at the same time.
			long target = all.get(Math.max(0, all.size() - 1 - ThreadLocalRandom.current().nextInt(8)));
			ChatApi.Answer answer = answered(() -> change(choice % 13, target, clientId));
			if (answer.status() / 100 == 2) {
				accepted(answer, choice % 13, target, clientId);
			}
			else if (answer.code().equals("message-deleted")) {
				RandomConversation.this.deleted.add(target);
			}
			else if (!REFUSALS.contains(answer.code())) {
				RandomConversation.this.unexpected.add(answer.status() + " " + answer.response().body());
			}
		}

		private ChatApi.Answer change(int kind, long target, String clientId) {
			ChatApi api = this.server.user(this.user);
			String room = RandomConversation.this.room;
			ChatApi.Answer answer = switch (kind) {
				case 0, 1, 2, 3 -> api.edit(room, target, clientId, text(clientId));
				case 4 -> api.deleteMessage(room, target);
				case 5 -> api.pin(room, target, ThreadLocalRandom.current().nextBoolean());
				case 6, 7 -> api.post("/api/rooms/" + room + "/threads/" + target + "/messages",
						Map.of("clientId", clientId, "text", "reply"));
				default -> api.react(room, target, KEYS.get(ThreadLocalRandom.current().nextInt(KEYS.size())),
						ThreadLocalRandom.current().nextInt(3) > 0);
			};
			if (RandomConversation.this.killed && answer.status() >= 500) {
				throw new IllegalStateException("Not ready yet: " + answer.response().body());
			}
			return answer;
		}

		private void accepted(ChatApi.Answer answer, int kind, long target, String clientId) {
			if (kind < 4) {
				Edit edit = new Edit(answer.body().path("position").asLong(), text(clientId));
				RandomConversation.this.edits.merge(target, edit,
						BinaryOperator.maxBy(Comparator.comparingLong(Edit::position)));
			}
			else if (kind == 4) {
				RandomConversation.this.deleted.add(target);
			}
		}

		private static String text(String clientId) {
			return "edited by " + clientId;
		}

		void close() {
			this.connection.close();
		}

		@Override
		public String toString() {
			return "device " + this.number + " of " + this.user;
		}

	}

}
