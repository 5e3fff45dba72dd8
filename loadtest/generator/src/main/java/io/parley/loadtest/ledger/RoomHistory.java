package io.parley.loadtest.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The history of one room: positions, and the messages of this run.
 */
final class RoomHistory {

	/**
	 * The sequence of the message at each position; -1 for an event other than a message
	 * of this run.
	 */
	private final NavigableMap<Long, Long> sequences = new TreeMap<>();

	/** The number of occurrences of each message. */
	private final Map<Long, Integer> times = new HashMap<>();

	private int outOfOrder;

	private int foreign;

	RoomHistory(List<JsonNode> events, String run) {
		long before = 0;
		for (JsonNode event : events) {
			long position = event.path("position").asLong();
			if (position <= before || event.path("prev").asLong() != before) {
				this.outOfOrder++;
			}
			this.sequences.put(position, sequence(event, run));
			before = position;
		}
	}

	private long sequence(JsonNode event, String run) {
		if (!event.path("type").asString().equals("message.posted")) {
			return -1;
		}
		LoadMessage message = LoadMessage.parse(event.path("text").asString());
		if (message == null || !event.path("clientId").asString().equals(run + "-" + message.sequence())) {
			this.foreign++;
			return -1;
		}
		this.times.merge(message.sequence(), 1, Integer::sum);
		return message.sequence();
	}

	/**
	 * Returns the number of events that do not follow the previous event.
	 */
	int outOfOrder() {
		return this.outOfOrder;
	}

	int foreign() {
		return this.foreign;
	}

	Map<Long, Integer> times() {
		return this.times;
	}

	/**
	 * Returns the sequence of the message at a position; null when the position has no
	 * event.
	 */
	@Nullable Long at(long position) {
		return this.sequences.get(position);
	}

	List<Long> positionsAfter(long position) {
		return new ArrayList<>(this.sequences.tailMap(position, false).keySet());
	}

	long head() {
		return this.sequences.isEmpty() ? 0 : this.sequences.lastKey();
	}

}
