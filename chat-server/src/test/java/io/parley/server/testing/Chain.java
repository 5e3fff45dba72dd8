package io.parley.server.testing;

import java.util.List;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What every client may demand of the events of one room, in the order they came in. */
public final class Chain {

	private Chain() {
	}

	public static List<Long> positions(List<JsonNode> events) {
		return events.stream().map((event) -> event.path("position").asLong()).toList();
	}

	/**
	 * Each event names the one before it, the first one the given position; so nothing is
	 * missing, nothing comes twice, and no order is another.
	 */
	public static void assertUnbroken(List<JsonNode> events, long start) {
		long last = start;
		for (JsonNode event : events) {
			assertThat(event.path("prev").asLong()).as("prev of %s", event).isEqualTo(last);
			last = event.path("position").asLong();
		}
		assertThat(positions(events)).isSorted().doesNotHaveDuplicates();
	}

}
