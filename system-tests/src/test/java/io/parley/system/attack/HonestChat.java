package io.parley.system.attack;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;

import io.parley.system.StompClient;
import io.parley.system.StompFrame;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two users who take turns sending a message every 50 ms and check what they receive:
 * every message once, in one order, with no gap in the positions.
 */
final class HonestChat {

	private static final Duration PACE = Duration.ofMillis(50);

	private static final Duration PATIENCE = Duration.ofSeconds(30);

	/**
	 * The number of messages before an attack, and the minimum during it: those of two
	 * seconds, or of half a second.
	 */
	private static final int MESSAGES = Boolean.getBoolean("parley.test.full-size") ? 40 : 10;

	private final List<Side> sides;

	private final Map<Integer, Long> sentAt = new ConcurrentHashMap<>();

	private final Map<Integer, Long> nanos = new ConcurrentHashMap<>();

	private final AtomicInteger sent = new AtomicInteger();

	private final List<Exception> failures = new CopyOnWriteArrayList<>();

	private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

	private final String room;

	/** The server drops a message with a {@code clientId} that it knows. */
	private final String prefix = UUID.randomUUID() + "-";

	private int attackFrom;

	private HonestChat(URI server, String room, List<String> tokens) throws IOException {
		this.room = room;
		this.sides = List.of(new Side(), new Side());
		for (int i = 0; i < 2; i++) {
			this.sides.get(i).connect(server, tokens.get(i));
		}
	}

	/** Starts the chat and waits until some messages have arrived. */
	static HonestChat start(URI server, String room, List<String> tokens) throws IOException {
		HonestChat chat = new HonestChat(server, room, tokens);
		chat.clock.scheduleAtFixedRate(chat::say, 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
		chat.awaitMore();
		chat.attackFrom = chat.sent.get();
		return chat;
	}

	/** One of the two users. */
	private final class Side {

		private final List<JsonNode> events = new CopyOnWriteArrayList<>();

		private volatile StompClient client;

		private void connect(URI server, String token) throws IOException {
			this.client = StompClient.connect(server, token, this::receive);
			this.client.subscribe("me", "/user/queue/events");
			this.client.subscribe("room", "/topic/rooms." + HonestChat.this.room);
			Awaitility.await("the subscription").atMost(PATIENCE).until(() -> !this.events.isEmpty());
		}

		private void receive(StompFrame frame) {
			JsonNode event = frame.json();
			if ("me".equals(frame.header("subscription"))) {
				if (event.path("type").asString().equals("error")) {
					HonestChat.this.failures.add(new IllegalStateException(event.toString()));
				}
				return;
			}
			if (event.path("type").asString().equals("message.posted")) {
				HonestChat.this.arrived(number(event));
			}
			this.events.add(event);
		}

		/** Returns the events without the {@code subscribed} event. */
		private List<JsonNode> messages() {
			return this.events.subList(1, this.events.size());
		}

	}

	private void say() {
		int number = this.sent.getAndIncrement();
		String clientId = this.prefix + number;
		this.sentAt.put(number, System.nanoTime());
		try {
			this.sides.get(number % 2).client.send(StompCommand.SEND,
					"{\"clientId\":\"" + clientId + "\",\"text\":\"" + Loot.SECRET + "\"}", "destination",
					"/app/rooms." + this.room + ".send");
		}
		catch (IOException | RuntimeException ex) {
			this.failures.add(ex);
		}
	}

	/** The latency of a message is that of the slower user. */
	private void arrived(int number) {
		Long start = this.sentAt.get(number);
		if (start != null) {
			this.nanos.merge(number, System.nanoTime() - start, Math::max);
		}
	}

	/** Waits until further messages have reached both users. */
	void awaitMore() {
		int target = this.sent.get() + MESSAGES;
		Awaitility.await("further messages of the honest users")
			.atMost(PATIENCE)
			.pollInterval(Duration.ofMillis(20))
			.failFast("a session of the honest users ended",
					() -> this.sides.stream().anyMatch((side) -> !side.client.isOpen()))
			.until(() -> this.sides.stream().allMatch((side) -> side.events.size() > target));
	}

	/**
	 * Stops the chat and checks that everything has arrived.
	 * @return the latency of messages before and during the attack
	 */
	String finish() throws InterruptedException {
		this.clock.shutdown();
		assertThat(this.clock.awaitTermination(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
		assertThat(this.failures).as("failed sends").isEmpty();
		Awaitility.await("all messages of the honest users; so far " + this)
			.atMost(PATIENCE)
			.failFast(() -> assertThat(this.failures).as("errors from the server").isEmpty())
			.until(() -> this.sides.stream().allMatch((side) -> side.messages().size() >= this.sent.get()));
		List<String> first = ids(this.sides.getFirst().messages());
		assertThat(first).as("each once").doesNotHaveDuplicates().hasSize(this.sent.get());
		assertThat(ids(this.sides.getLast().messages())).as("the same order for both").isEqualTo(first);
		Map<String, Integer> last = new HashMap<>();
		for (JsonNode message : this.sides.getFirst().messages()) {
			int number = number(message);
			Integer before = last.put(message.path("sender").asString(), number);
			assertThat(before == null || before < number).as("the order of the sender at %s", message).isTrue();
		}
		for (Side side : this.sides) {
			assertThat(side.messages().stream().skip(1).map((message) -> message.path("prev").longValue()))
				.as("no hole")
				.isEqualTo(side.messages()
					.stream()
					.limit(side.messages().size() - 1L)
					.map((message) -> message.path("position").longValue())
					.toList());
		}
		return "p99 %s ms before, %s ms during, %d messages".formatted(p99(0, this.attackFrom),
				p99(this.attackFrom, this.sent.get()), this.sent.get() - this.attackFrom);
	}

	private int number(JsonNode message) {
		return Integer.parseInt(message.path("clientId").asString().substring(this.prefix.length()));
	}

	private static List<String> ids(List<JsonNode> messages) {
		return messages.stream().map((message) -> message.path("clientId").asString()).toList();
	}

	private long p99(int from, int to) {
		long[] sorted = LongStream.range(from, to).map((number) -> this.nanos.get((int) number)).sorted().toArray();
		return TimeUnit.NANOSECONDS.toMillis(sorted[Math.min(sorted.length - 1, sorted.length * 99 / 100)]);
	}

	/** Returns how many events both users have received; for failure messages. */
	@Override
	public String toString() {
		return Arrays.toString(this.sides.stream().mapToInt((side) -> side.events.size()).toArray()) + " of "
				+ this.sent.get();
	}

	void close() {
		this.clock.shutdownNow();
		this.sides.forEach((side) -> side.client.close());
	}

}
