package io.parley.server.testing;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;

/**
 * The messages of one room as a client has them: applies events and views by the rules of
 * docs/protocol.md.
 */
public final class MessageCopy {

	private final Map<Long, Message> messages = new TreeMap<>();

	/** A message in its state after the change at {@code changed}. */
	public record Message(long changed, String text, boolean edited, boolean deleted, Map<String, Integer> reactions,
			boolean pinned) {

		private Message reacted(long position, Map<String, Integer> counts) {
			return new Message(position, this.text, this.edited, this.deleted, counts, this.pinned);
		}

		private Message pinned(long position, boolean on) {
			return new Message(position, this.text, this.edited, this.deleted, this.reactions, on);
		}

	}

	/** Applies events of the feed. */
	public MessageCopy events(Collection<JsonNode> events) {
		events.forEach(this::event);
		return this;
	}

	private void event(JsonNode event) {
		long position = event.path("position").asLong();
		String text = event.path("text").asString("");
		Message target = this.messages.get(event.path("target").asLong());
		switch (event.path("type").asString()) {
			case "message.posted" -> {
				boolean deleted = event.path("deleted").asBoolean(false);
				this.messages.putIfAbsent(position, new Message(position, text, false, deleted, Map.of(), false));
			}
			case "message.edited" -> {
				if (target != null && applies(event, target)) {
					this.messages.put(event.path("target").asLong(),
							new Message(position, text, true, false, target.reactions(), target.pinned()));
				}
			}
			case "message.deleted" -> {
				if (target != null && applies(event, target)) {
					this.messages.put(event.path("target").asLong(),
							new Message(position, "", false, true, Map.of(), false));
				}
			}
			case "reaction.changed" -> {
				if (target != null && applies(event, target)) {
					Map<String, Integer> counts = new HashMap<>();
					event.path("counts").forEachEntry((key, count) -> counts.put(key, count.asInt()));
					this.messages.put(event.path("target").asLong(), target.reacted(position, counts));
				}
			}
			case "pin.changed" -> {
				if (target != null && applies(event, target)) {
					this.messages.put(event.path("target").asLong(),
							target.pinned(position, event.path("on").asBoolean()));
				}
			}
			default -> {
			}
		}
	}

	private static boolean applies(JsonNode change, Message target) {
		return !change.path("superseded").asBoolean(false) && change.path("position").asLong() > target.changed();
	}

	/** Applies messages of a view. */
	public MessageCopy views(Collection<JsonNode> views) {
		for (JsonNode view : views) {
			Message message = new Message(view.path("changed").asLong(), view.path("text").asString(),
					view.path("edited").asBoolean(false), view.path("deleted").asBoolean(false), counts(view),
					view.path("pinned").asBoolean(false));
			this.messages.merge(view.path("position").asLong(), message,
					(old, current) -> (current.changed() > old.changed()) ? current : old);
		}
		return this;
	}

	private static Map<String, Integer> counts(JsonNode view) {
		Map<String, Integer> counts = new HashMap<>();
		view.path("reactions").forEachEntry((key, reaction) -> counts.put(key, reaction.path("n").asInt()));
		return counts;
	}

	/** Returns the positions of the pinned messages. */
	public List<Long> pinned() {
		return this.messages.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().pinned())
			.map(Map.Entry::getKey)
			.toList();
	}

	/** Returns the messages by position. */
	public Map<Long, Message> messages() {
		return this.messages;
	}

}
