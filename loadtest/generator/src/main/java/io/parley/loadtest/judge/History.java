package io.parley.loadtest.judge;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.cli.Waiting;
import io.parley.loadtest.user.RestApi;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The events of a room.
 */
final class History {

	private static final int PAGE = 200;

	private static final Duration LONGEST = Duration.ofMinutes(1);

	private final NavigableMap<Long, Event> events = new TreeMap<>();

	private final Map<String, List<Event>> messages = new HashMap<>();

	/**
	 * An event.
	 *
	 * @param clientId empty if it has none
	 * @param message whether it is a message or a reply
	 * @param required whether each client must show it: a message that is not deleted
	 * @param texts its text and those of its edits; empty if any text is right
	 */
	record Event(long position, String sender, String clientId, boolean message, boolean required, Set<String> texts) {

		boolean isBy(@Nullable String name) {
			return name == null || this.sender.equals(name);
		}

		boolean has(@Nullable Content content) {
			return content == null || this.texts.isEmpty() || content.isOneOf(this.texts);
		}

		@Override
		public String toString() {
			return (this.clientId.isEmpty() ? "an event" : "\"" + this.clientId + "\"") + " of " + this.sender
					+ " at position " + this.position;
		}

	}

	/**
	 * Creates the history from the events of the server, in ascending order.
	 */
	History(List<JsonNode> events) {
		Map<Long, Set<String>> edits = new HashMap<>();
		Set<Long> unknown = new HashSet<>();
		for (JsonNode event : events) {
			if (event.path("type").asString("").equals("message.edited")) {
				long target = event.path("target").asLong();
				edits.computeIfAbsent(target, (position) -> new HashSet<>()).add(event.path("text").asString(""));
				if (event.path("superseded").asBoolean(false)) {
					unknown.add(target);
				}
			}
		}
		events.forEach((event) -> add(event, edits, unknown));
	}

	private void add(JsonNode event, Map<Long, Set<String>> edits, Set<Long> unknown) {
		long position = event.path("position").asLong();
		String type = event.path("type").asString("");
		boolean deleted = event.path("deleted").asBoolean(false);
		boolean posted = type.equals("message.posted");
		boolean message = posted || type.equals("thread.posted");
		Set<String> texts = new HashSet<>();
		if (message && !deleted && !unknown.contains(position)) {
			texts.add(event.path("text").asString(""));
			texts.addAll(edits.getOrDefault(position, Set.of()));
		}
		Event added = new Event(position, event.path("sender").asString(""), event.path("clientId").asString(""),
				message, posted && !deleted, texts);
		this.events.put(position, added);
		if (message) {
			this.messages.computeIfAbsent(added.clientId(), (id) -> new ArrayList<>(1)).add(added);
		}
	}

	/**
	 * Reads the events of a room.
	 * @throws LoadTestException when the server does not give all of them within a minute
	 */
	static History read(RestApi api, String token, String room) {
		List<JsonNode> events = new ArrayList<>();
		long head = api.newest(token, room, 1).path("head").asLong();
		for (long last = 0; last < head; last = events.getLast().path("position").asLong()) {
			nextPage(api, token, room, last).forEach(events::add);
		}
		return new History(events);
	}

	/**
	 * A page may be missing for a moment.
	 */
	private static JsonNode nextPage(RestApi api, String token, String room, long after) {
		List<JsonNode> page = new ArrayList<>(1);
		List<String> failure = new ArrayList<>(List.of("it has none"));
		if (!Waiting.until(LONGEST, Duration.ofMillis(200), () -> {
			try {
				JsonNode next = api.page(token, room, after, PAGE);
				return !next.isEmpty() && page.add(next);
			}
			catch (LoadTestException ex) {
				failure.set(0, String.valueOf(ex.getMessage()));
				return false;
			}
		})) {
			throw new LoadTestException(
					"The server does not give the events after position %d: %s".formatted(after, failure.getFirst()));
		}
		return page.getFirst();
	}

	/**
	 * Returns the event at a position; null if there is none.
	 */
	@Nullable Event at(long position) {
		return this.events.get(position);
	}

	/**
	 * Returns the messages with a client id, of any sender or of one.
	 */
	List<Event> messages(String clientId, @Nullable String sender) {
		return this.messages.getOrDefault(clientId, List.of()).stream().filter((event) -> event.isBy(sender)).toList();
	}

	/**
	 * Returns all events, in ascending order.
	 */
	Iterable<Event> all() {
		return this.events.values();
	}

	/**
	 * Returns the positions between two others.
	 */
	Set<Long> between(long after, long before) {
		return (after < before) ? this.events.subMap(after, false, before, false).keySet() : Set.of();
	}

	long count() {
		return this.events.values().stream().filter(Event::required).count();
	}

}
