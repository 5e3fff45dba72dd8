package io.parley.server.testing;

import java.util.List;

import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Assertions on the events of one room in the order of their arrival. */
public final class Chain {

	private Chain() {
	}

	public static List<Long> positions(List<JsonNode> events) {
		return events.stream().map((event) -> event.path("position").asLong()).toList();
	}

	/**
	 * Asserts that each event names its predecessor and the first one names the given
	 * position: no event is missing, duplicated or out of order.
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
