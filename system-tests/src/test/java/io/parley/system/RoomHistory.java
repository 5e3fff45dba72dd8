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

/** The history of one room, checked by itself and against those who followed it. */
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

	/** Positions grow, each prev names the event before, numbers count the messages. */
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

	/** What each sender wrote stands in the order in which it was written. */
	void assertSendersInOrder(Ledger ledger) {
		Map<String, Long> last = new HashMap<>();
		for (JsonNode message : messages()) {
			TestMessage sent = ledger.find(message.path("clientId").asString());
			assertThat(sent).as("who sent %s", message).isNotNull();
			assertThat(message.path("sender").asString()).isEqualTo(sent.sender());
			assertThat(message.path("room").asString()).isEqualTo(sent.room());
			assertThat(sent.number()).as("order of %s", message).isGreaterThan(last.getOrDefault(sent.sender(), -1L));
			last.put(sent.sender(), sent.number());
		}
	}

	/**
	 * The follower saw each event from the first one it saw on, in order. Anything else
	 * that it saw repeats a message of the history: a retry over a crash can slip through
	 * live, under a position that history then does not have.
	 * @return how many such repeats there were
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
