package io.parley.server.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Two users chat while the database of their server does not answer.
 *
 * @param database of the server
 */
public record DatabaseOutage(ChatServer server, StillDatabase database) {

	/**
	 * Asserts that every message is accepted and delivered in order during the outage,
	 * and stored once after it.
	 * @param seconds how long the database does not answer
	 * @param rate messages a second
	 */
	public void assertMessagesGoOn(int seconds, int rate) throws InterruptedException {
		String room = this.server.room("anna", "bert");
		try (StompConnection anna = this.server.connectWithEvents("anna");
				StompConnection bert = this.server.connectWithEvents("bert")) {
			long start = bert.follow("s", room).path("head").asLong();
			anna.expectReceipt(anna.say(room, "first", "text"));
			this.database.stall();
			List<String> receipts = send(anna, bert, room, seconds, rate);
			anna.expectReceipts(receipts);
			bert.expectMessage("s", "c" + (receipts.size() - 1));
			List<JsonNode> events = bert.events("s").stream().skip(1).toList();
			assertThat(events).hasSize(receipts.size() + 1);
			Chain.assertUnbroken(events, start);
			this.database.resume();
			await().atMost(Duration.ofSeconds(60 + seconds / 6))
				.ignoreExceptionsInstanceOf(AssertionError.class)
				.until(() -> stored(room), (stored) -> stored.size() == receipts.size() + 1);
			assertThat(stored(room))
				.isEqualTo(events.stream().map((event) -> event.path("clientId").asString()).toList());
		}
	}

	/**
	 * Renews the token of a session, as a client does before it expires.
	 * @param user with a refresh token
	 */
	public static void refresh(StompConnection session, ChatApi user) {
		session.confirmed("SEND", Map.of("destination", "/app/token"),
				"{\"accessToken\":\"" + user.refresh().token() + "\"}");
	}

	/**
	 * Sends at a rate. Both sessions renew their tokens every five minutes.
	 * @return the ids of the receipts to expect
	 */
	private List<String> send(StompConnection sender, StompConnection reader, String room, int seconds, int rate)
			throws InterruptedException {
		// Nobody can sign in again during the outage.
		ChatApi senderApi = this.server.user("anna");
		ChatApi readerApi = this.server.user("bert");
		List<String> receipts = Collections.synchronizedList(new ArrayList<>());
		List<Future<?>> refreshes = new ArrayList<>();
		try (ScheduledExecutorService clock = Executors.newScheduledThreadPool(2)) {
			for (int second = 10; second < seconds; second += 300) {
				refreshes.add(clock.schedule(() -> refresh(sender, senderApi), second, TimeUnit.SECONDS));
				refreshes.add(clock.schedule(() -> refresh(reader, readerApi), second, TimeUnit.SECONDS));
			}
			IntStream.range(0, seconds * rate)
				.forEach((i) -> clock.schedule(() -> receipts.add(sender.say(room, "c" + i, "text")), i * 1_000L / rate,
						TimeUnit.MILLISECONDS));
			clock.shutdown();
			assertThat(clock.awaitTermination(seconds + 60, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(refreshes).allSatisfy((refresh) -> assertThat(refresh).succeedsWithin(Duration.ZERO));
		assertThat(receipts).hasSize(seconds * rate);
		return receipts;
	}

	private List<String> stored(String room) {
		List<String> clientIds = new ArrayList<>();
		ChatApi reader = this.server.user("anna").refresh();
		List<JsonNode> page = reader.history(room, "?limit=200&after=0");
		while (!page.isEmpty()) {
			page.stream()
				.filter((event) -> event.path("type").asString().equals("message.posted"))
				.forEach((event) -> clientIds.add(event.path("clientId").asString()));
			page = reader.history(room, "?limit=200&after=" + page.getLast().path("position").asLong());
		}
		return clientIds;
	}

}
