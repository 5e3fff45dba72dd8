package io.parley.server.testing;

import java.util.Collection;
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
	public record Message(long changed, String text, boolean edited, boolean deleted) {
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
				this.messages.putIfAbsent(position, new Message(position, text, false, deleted));
			}
			case "message.edited" -> {
				if (applies(event, target)) {
					this.messages.put(event.path("target").asLong(), new Message(position, text, true, false));
				}
			}
			case "message.deleted" -> {
				if (applies(event, target)) {
					this.messages.put(event.path("target").asLong(), new Message(position, "", false, true));
				}
			}
			default -> {
			}
		}
	}

	private static boolean applies(JsonNode change, @org.jspecify.annotations.Nullable Message target) {
		return target != null && !change.path("superseded").asBoolean(false)
				&& change.path("position").asLong() > target.changed();
	}

	/** Applies messages of a view. */
	public MessageCopy views(Collection<JsonNode> views) {
		for (JsonNode view : views) {
			Message message = new Message(view.path("changed").asLong(), view.path("text").asString(),
					view.path("edited").asBoolean(false), view.path("deleted").asBoolean(false));
			this.messages.merge(view.path("position").asLong(), message,
					(old, current) -> (current.changed() > old.changed()) ? current : old);
		}
		return this;
	}

	/** Returns the messages by position. */
	public Map<Long, Message> messages() {
		return this.messages;
	}

}
