package io.parley.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

import io.parley.server.testing.Chain;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Tests connections that end without a close frame while messages are sent. */
@FanOut
@Relay
@UnlimitedServer
class CutConnectionTests {

	private static final int MESSAGES = 64;

	/** One reader for each number of messages after which it is cut off. */
	private static final int READERS = 32;

	private final ChatServer server;

	CutConnectionTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void resumeExactlyWhereTheyWereCutOff() throws Exception {
		String room = this.server.room("anna", "bert");
		long start = this.server.user("anna").listed(room).path("head").asLong();
		CountDownLatch following = new CountDownLatch(READERS);
		List<Future<List<JsonNode>>> readers = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < READERS; i++) {
				int messages = i;
				readers.add(threads.submit(() -> {
					List<JsonNode> first = readUntilCut(room, start, messages, following);
					return resume(room, start, first);
				}));
			}
			following.await();
			List<Long> sent = sendAll(room);
			for (Future<List<JsonNode>> reader : readers) {
				assertThat(Chain.positions(reader.get())).isEqualTo(sent);
				Chain.assertUnbroken(reader.get(), start);
			}
		}
	}

	/** Returns what a reader had received when it was cut off. */
	private List<JsonNode> readUntilCut(String room, long after, int messages, CountDownLatch following) {
		try (StompConnection reader = this.server.connect("bert")) {
			try {
				reader.follow("s", room, after);
			}
			finally {
				following.countDown();
			}
			AtomicInteger seen = new AtomicInteger();
			reader.expect((frame) -> frame.isMessageOf("s") && seen.getAndIncrement() == messages);
			reader.abort();
			return reader.events("s").stream().skip(1).limit(messages).toList();
		}
	}

	/** Returns these events and those that follow until the end. */
	private List<JsonNode> resume(String room, long start, List<JsonNode> first) {
		long last = first.isEmpty() ? start : first.getLast().path("position").asLong();
		try (StompConnection reader = this.server.connect("bert")) {
			assertThat(reader.follow("s", room, last).path("recovered").asBoolean()).isTrue();
			reader.expectMessage("s", "end");
			List<JsonNode> all = new ArrayList<>(first);
			reader.events("s").stream().skip(1).forEach(all::add);
			return all;
		}
	}

	private List<Long> sendAll(String room) {
		List<Long> sent = new ArrayList<>();
		for (int i = 0; i < MESSAGES; i++) {
			sent.add(this.server.user("anna").say(room, "c" + i, "text"));
		}
		sent.add(this.server.user("anna").say(room, "end", "end"));
		return sent;
	}

	@Test
	void loseNothingAcrossManyCuts() throws Exception {
		String room = this.server.room("anna", "bert");
		long start = this.server.user("anna").listed(room).path("head").asLong();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			Future<List<Long>> sending = threads.submit(() -> sendAll(room));
			List<JsonNode> all = new ArrayList<>();
			long last = start;
			for (int connections = 0; all.size() < MESSAGES; connections++) {
				all.addAll(readUntilCut(room, last, Math.min(1 + connections % 4, MESSAGES - all.size()),
						new CountDownLatch(1)));
				last = all.getLast().path("position").asLong();
			}
			assertThat(Chain.positions(resume(room, start, all))).isEqualTo(sending.get());
		}
	}

}
