package io.parley.conformance;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import io.parley.store.account.Account;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The number of read and typing signals to a room depends on time, not on the number of
 * readers and writers.
 */
@FanOut
@UnlimitedServer
class ReadSignalTests {

	private static final int READERS = Boolean.getBoolean("parley.test.full-size") ? 60 : 30;

	private static final int MESSAGES = 20;

	private final ChatServer server;

	private final AccountRepository accounts;

	ReadSignalTests(ChatServer server, AccountRepository accounts) {
		this.server = server;
		this.accounts = accounts;
	}

	@Test
	void areSentOnceASecondForAnyNumberOfReaders() throws Exception {
		List<String> readers = IntStream.range(0, READERS).mapToObj((i) -> "reader" + i).toList();
		signIn(readers);
		String room = this.server.room("writer", readers.toArray(String[]::new));
		List<Long> positions = new ArrayList<>();
		for (int i = 0; i < MESSAGES; i++) {
			positions.add(this.server.user("writer").say(room, "c" + i, "text"));
		}
		try (StompConnection first = listen("writer", room); StompConnection second = listen(readers.getLast(), room)) {
			long start = System.nanoTime();
			readAll(readers, room, positions);
			for (StompConnection listener : List.of(first, second)) {
				assertAllReported(listener, new HashSet<>(readers), positions.getLast());
				long seconds = (System.nanoTime() - start) / 1_000_000_000;
				assertThat(reads(listener)).hasSizeLessThanOrEqualTo((int) seconds + 2);
			}
		}
		for (String reader : readers) {
			assertThat(this.server.user(reader).listed(room).path("unread").asInt()).isZero();
		}
	}

	/** Limits concurrency, because hashing passwords needs CPU time. */
	private void signIn(List<String> users) throws Exception {
		Semaphore processors = new Semaphore(Runtime.getRuntime().availableProcessors());
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<ChatApi>> signedIn = users.stream().map((user) -> threads.submit(() -> {
				processors.acquire();
				try {
					return this.server.user(user);
				}
				finally {
					processors.release();
				}
			})).toList();
			for (Future<ChatApi> user : signedIn) {
				user.get();
			}
		}
	}

	private void readAll(List<String> readers, String room, List<Long> positions) throws Exception {
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<?>> all = new ArrayList<>();
			for (String reader : readers) {
				all.add(threads.submit(() -> {
					try (StompConnection connection = this.server.connect(reader)) {
						positions.forEach((position) -> read(connection, room, position));
					}
				}));
			}
			for (Future<?> one : all) {
				one.get();
			}
		}
	}

	private static void assertAllReported(StompConnection listener, Set<String> missing, long last) {
		listener.expectEvent("signals", (event) -> {
			event.path("positions").properties().forEach((read) -> {
				if (read.getValue().asLong() == last) {
					missing.remove(read.getKey());
				}
			});
			return missing.isEmpty();
		});
		assertThat(reads(listener)).allSatisfy(
				(event) -> assertThat(event.path("positions").path(user(event))).isEqualTo(event.path("position")));
	}

	private static String user(JsonNode event) {
		return event.path("user").asString();
	}

	@Test
	void areSentAtOnceInAQuietRoomAndThenTogether() {
		String room = this.server.room("anna", "bert", "cleo");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		try (StompConnection anna = listen("anna", room);
				StompConnection bert = this.server.connect("bert");
				StompConnection cleo = this.server.connect("cleo")) {
			read(bert, room, first);
			read(cleo, room, first);
			read(bert, room, second);
			read(cleo, room, second);
			anna.expectEvent("signals", (event) -> event.path("positions").path("cleo").asLong() == second);
			List<JsonNode> signals = reads(anna);
			assertThat(signals.getFirst().path("positions").propertyNames()).containsExactly("bert");
			assertThat(signals.getFirst().path("position").asLong()).isEqualTo(first);
			assertThat(signals.getLast().path("user").asString()).isEqualTo("cleo");
			assertThat(signals.getLast().path("position").asLong()).isEqualTo(second);
		}
	}

	@Test
	void areNotSentForAMarkerThatDoesNotMove() {
		String room = this.server.room("anna", "bert");
		long first = this.server.user("anna").say(room, "c1", "one");
		long second = this.server.user("anna").say(room, "c2", "two");
		try (StompConnection anna = listen("anna", room);
				StompConnection bert = this.server.connectWithEvents("bert")) {
			// A follower of the room gets updates of the read marker only, not of new
			// messages.
			bert.follow("s", room);
			read(bert, room, first);
			anna.expectEvent("signals", ReadSignalTests::isRead);
			bert.expectEvent("me", (event) -> event.path("read").asLong() == first);
			for (int i = 0; i < 50; i++) {
				read(bert, room, first);
				read(bert, room, 0);
			}
			read(bert, room, second);
			anna.expectEvent("signals", (event) -> event.path("position").asLong() == second);
			bert.expectEvent("me", (event) -> event.path("read").asLong() == second);
			assertThat(reads(anna)).hasSize(2);
			assertThat(bert.events("me")).filteredOn((event) -> event.path("read").asLong() == first).hasSize(1);
		}
	}

	@Test
	void areNotSentToRoomsOfMoreThanAHundredMembers() {
		List<String> silent = IntStream.range(0, 99).mapToObj((i) -> "silent" + i).toList();
		silent.forEach((user) -> this.accounts.save(new Account(user, "no password", Instant.now())));
		this.server.user("bert");
		String large = this.server.user("anna").openGroup("large", silent.toArray(String[]::new));
		this.server.user("anna").join(large, "bert").expect(201);
		String small = this.server.user("anna").openGroup("small", silent.subList(1, 99).toArray(String[]::new));
		this.server.user("anna").join(small, "bert").expect(201);
		try (StompConnection anna = listen("anna", large); StompConnection bert = this.server.connect("bert")) {
			anna.subscribe("small", "/topic/rooms." + small + ".signals");
			for (int i = 0; i < 2; i++) {
				read(bert, large, this.server.user("anna").say(large, "l" + i, "text"));
				long last = this.server.user("anna").say(small, "s" + i, "text");
				read(bert, small, last);
				anna.expectEvent("small", (event) -> isRead(event) && event.path("position").asLong() == last);
			}
			assertThat(reads(anna)).isEmpty();
		}
		assertThat(this.server.user("bert").listed(large).path("unread").asInt()).isZero();
	}

	@Test
	void areSentOnceASecondForAWriterAndTheRestIsConfirmed() {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = listen("anna", room); StompConnection bert = this.server.connect("bert")) {
			long start = System.nanoTime();
			for (int i = 0; i < 200; i++) {
				bert.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			}
			anna.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".typing"), "");
			// Not only the user: the presence of anna may arrive late.
			anna.expectEvent("signals", (event) -> isTyping(event) && event.path("user").asString().equals("anna"));
			long seconds = (System.nanoTime() - start) / 1_000_000_000;
			assertThat(anna.events("signals")).filteredOn(ReadSignalTests::isTyping)
				.hasSizeBetween(2, (int) seconds + 3);
		}
	}

	private StompConnection listen(String user, String room) {
		StompConnection connection = this.server.connect(user);
		connection.subscribe("signals", "/topic/rooms." + room + ".signals");
		return connection;
	}

	private static void read(StompConnection connection, String room, long position) {
		connection.confirmed("SEND", Map.of("destination", "/app/rooms." + room + ".read"),
				"{\"position\":" + position + "}");
	}

	private static List<JsonNode> reads(StompConnection listener) {
		return listener.events("signals").stream().filter(ReadSignalTests::isRead).toList();
	}

	private static boolean isTyping(JsonNode event) {
		return event.path("type").asString().equals("typing");
	}

	private static boolean isRead(JsonNode event) {
		return event.path("type").asString().equals("read");
	}

}
