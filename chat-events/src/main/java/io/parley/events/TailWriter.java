package io.parley.events;

import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes the JSON tail of an {@link EventRecord}. {@link TailParser} parses it. */
final class TailWriter {

	private TailWriter() {
	}

	static byte[] tail(RoomEvent event) {
		return tail(event.id(), event.sender(), (json) -> writeOwnFields(json, event));
	}

	/** Writes the tail of a change whose content is left out. */
	static byte[] superseded(EventRecord change) {
		return tail(change.id(), change.sender(), (json) -> {
			writeChange(json, change.clientId(), change.sentAt().toString(), change.target(), change.thread());
			json.writeBooleanProperty("superseded", true);
		});
	}

	/** Writes an object without its opening brace. */
	private static byte[] tail(String id, String sender, Consumer<JsonGenerator> fields) {
		byte[] object = Json.object((json) -> {
			json.writeStringProperty("id", id);
			json.writeStringProperty("sender", sender);
			fields.accept(json);
		});
		return Arrays.copyOfRange(object, 1, object.length);
	}

	private static void writeOwnFields(JsonGenerator json, RoomEvent event) {
		String sentAt = event.sentAt().toString();
		switch (event) {
			case MessagePosted message -> {
				json.writeStringProperty("clientId", message.clientId());
				json.writeStringProperty("sentAt", sentAt);
				writePosition(json, "thread", message.thread());
				writePosition(json, "replyTo", message.replyTo());
				json.writeStringProperty("text", message.text());
				writeMentions(json, message.mentions());
				message.extra().forEach((name, value) -> {
					json.writeName(name);
					json.writeRawValue(value);
				});
				if (message.deleted()) {
					json.writeBooleanProperty("deleted", true);
				}
			}
			case MessageEdited edited -> {
				writeChange(json, edited.clientId(), sentAt, edited.target(), edited.thread());
				json.writeStringProperty("text", edited.text());
				writeMentions(json, edited.mentions());
			}
			case MessageDeleted deleted -> {
				writeChange(json, deleted.clientId(), sentAt, deleted.target(), deleted.thread());
				json.writeStringProperty("as", deleted.as());
				if (deleted.reason() != null) {
					json.writeStringProperty("reason", deleted.reason());
				}
			}
			case ReactionChanged reactions -> {
				writeChange(json, null, sentAt, reactions.target(), reactions.thread());
				json.writeObjectPropertyStart("counts");
				StateJson.writeCounts(json, reactions.counts());
				json.writeEndObject();
				writeDelivered(json, reactions.changes());
			}
			case PinChanged pin -> {
				writeChange(json, pin.clientId(), sentAt, pin.target(), pin.thread());
				json.writeBooleanProperty("on", pin.on());
			}
			case RoomChanged changed -> {
				json.writeStringProperty("sentAt", sentAt);
				writeChanged(json, changed);
			}
			case RoomCreated created -> {
				json.writeStringProperty("sentAt", sentAt);
				json.writeStringProperty("name", created.name());
				json.writeStringProperty("kind", created.kind());
				json.writePOJOProperty("members", created.members());
			}
			case MemberJoined joined -> {
				json.writeStringProperty("sentAt", sentAt);
				json.writeStringProperty("member", joined.member());
			}
			case MemberLeft left -> {
				json.writeStringProperty("sentAt", sentAt);
				json.writeStringProperty("member", left.member());
			}
			case MemberRole changed -> {
				json.writeStringProperty("sentAt", sentAt);
				json.writeStringProperty("member", changed.member());
				json.writeStringProperty("role", changed.role());
			}
		}
	}

	private static void writeChange(JsonGenerator json, @Nullable String clientId, String sentAt, long target,
			long thread) {
		if (clientId != null) {
			json.writeStringProperty("clientId", clientId);
		}
		json.writeStringProperty("sentAt", sentAt);
		json.writeNumberProperty("target", target);
		writePosition(json, "thread", thread);
	}

	private static void writeChanged(JsonGenerator json, RoomChanged changed) {
		if (changed.name() != null) {
			json.writeStringProperty("name", changed.name());
		}
		if (changed.topic() != null) {
			json.writeStringProperty("topic", changed.topic());
		}
		if (changed.slowMode() != null) {
			json.writeNumberProperty("slowMode", changed.slowMode());
		}
		if (changed.memberPins() != null) {
			json.writeBooleanProperty("memberPins", changed.memberPins());
		}
	}

	private static void writeMentions(JsonGenerator json, @Nullable Mentions mentions) {
		if (mentions != null) {
			json.writeName("mentions");
			json.writeRawValue(mentions.json());
		}
	}

	private static void writePosition(JsonGenerator json, String name, long position) {
		if (position != Positions.NONE) {
			json.writeNumberProperty(name, position);
		}
	}

	private static void writeDelivered(JsonGenerator json, List<Reaction.Change> changes) {
		int delivered = Math.min(changes.size(), ReactionChanged.MAX_DELIVERED);
		json.writeArrayPropertyStart("by");
		for (Reaction.Change change : changes.subList(0, delivered)) {
			json.writeStartObject();
			json.writeStringProperty("user", change.reaction().user());
			json.writeStringProperty("key", change.reaction().key());
			json.writeBooleanProperty("on", change.on());
			json.writeEndObject();
		}
		json.writeEndArray();
		json.writeNumberProperty("more", changes.size() - delivered);
	}

}
