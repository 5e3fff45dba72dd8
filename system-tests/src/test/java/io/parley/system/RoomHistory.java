package io.parley.system;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Checks the history of one room for consistency and against its subscribers. */
final class RoomHistory {

	private final String room;

	private final List<JsonNode> events;

	RoomHistory(String room, List<JsonNode> events) {
		this.room = room;
		this.events = events;
	}

	List<JsonNode> messages() {
		return this.events.stream().filter(RoomHistory::isMessage).toList();
	}

	List<JsonNode> events() {
		return this.events;
	}

	String room() {
		return this.room;
	}

	long head() {
		return this.events.getLast().path("position").longValue();
	}

	/**
	 * Asserts that positions grow, that each prev names the previous event, and that
	 * numbers count the messages.
	 */
	void assertUnbroken() {
		long position = 0;
		long number = 0;
		for (JsonNode event : this.events) {
			assertThat(event.path("room").asString()).isEqualTo(this.room);
			assertThat(event.path("prev").longValue()).as("prev of %s", event).isEqualTo(position);
			assertThat(event.path("position").longValue()).as("position of %s", event).isGreaterThan(position);
			number += isMessage(event) ? 1 : 0;
			assertThat(event.path("number").longValue()).as("number of %s", event).isEqualTo(number);
			position = event.path("position").longValue();
		}
	}

	/**
	 * Asserts that the messages of each sender are in the order in which they were sent.
	 */
	void assertSendersInOrder(Ledger ledger) {
		Map<String, Long> last = new HashMap<>();
		for (JsonNode message : messages()) {
			TestMessage sent = ledger.find(message.path("clientId").asString());
			assertThat(sent).as("the sender of %s", message).isNotNull();
			assertThat(message.path("sender").asString()).isEqualTo(sent.sender());
			assertThat(message.path("room").asString()).isEqualTo(sent.room());
			assertThat(sent.number()).as("order of %s", message).isGreaterThan(last.getOrDefault(sent.sender(), -1L));
			last.put(sent.sender(), sent.number());
		}
	}

	/**
	 * Asserts that the subscriber received all events after the first one in order. Any
	 * other received event must repeat a message of the history: a retry across a crash
	 * can be delivered live at a position that is not in the history.
	 * @return the number of such repeats
	 */
	int assertFollowedBy(CrashSubscriber subscriber, long from) {
		Set<Long> positions = new HashSet<>();
		Set<String> clientIds = new HashSet<>();
		this.events.forEach((event) -> {
			positions.add(event.path("position").longValue());
			clientIds.add(event.path("clientId").asString());
		});
		List<CrashSubscriber.Seen> repeated = subscriber.seen()
			.stream()
			.filter((seen) -> !positions.contains(seen.position()))
			.toList();
		assertThat(repeated).as("seen in room %s and not in its history", this.room)
			.allMatch((seen) -> clientIds.contains(seen.clientId()));
		List<CrashSubscriber.Seen> expected = this.events.stream()
			.filter((event) -> event.path("position").longValue() > from)
			.map((event) -> new CrashSubscriber.Seen(event.path("position").longValue(), event.path("id").asString(),
					event.path("clientId").asString()))
			.toList();
		List<CrashSubscriber.Seen> seen = new ArrayList<>(subscriber.seen());
		seen.removeAll(repeated);
		Set<CrashSubscriber.Seen> missed = new LinkedHashSet<>(expected);
		seen.forEach(missed::remove);
		assertThat(missed).as("missed by a subscriber of room %s", this.room).isEmpty();
		assertThat(seen.equals(expected)).as("seen in the order of the history of room %s", this.room).isTrue();
		return repeated.size();
	}

	private static boolean isMessage(JsonNode event) {
		return event.path("type").asString().equals("message.posted");
	}

}
