package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;

/**
 * Parses the JSON tail of an {@link EventRecord}, which {@link TailWriter} has written.
 */
final class TailParser {

	private TailParser() {
	}

	static RoomEvent parse(EventRecord record) {
		byte[] object = new byte[record.tail().length + 1];
		object[0] = '{';
		System.arraycopy(record.tail(), 0, object, 1, record.tail().length);
		try {
			return parse(record, object);
		}
		catch (JacksonException ex) {
			throw new UnreadableEventException("The tail is not JSON", ex);
		}
	}

	private static RoomEvent parse(EventRecord record, byte[] object) {
		EventType type = record.type();
		if (type.isMessage()) {
			return message(record, object);
		}
		JsonNode json = Json.MAPPER.readTree(object);
		if (type.equals(EventType.ROOM_CREATED)) {
			return created(record, json);
		}
		if (type.equals(EventType.MEMBER_JOINED)) {
			return new MemberJoined(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "member"));
		}
		if (type.equals(EventType.MEMBER_LEFT)) {
			return new MemberLeft(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "member"));
		}
		if (type.equals(EventType.MEMBER_ROLE)) {
			return role(record, json);
		}
		if (type.equals(EventType.MESSAGE_EDITED)) {
			return edited(record, json);
		}
		if (type.equals(EventType.MESSAGE_DELETED)) {
			return deleted(record, json);
		}
		if (type.equals(EventType.REACTION_CHANGED)) {
			return new ReactionChanged(record.room(), record.id(), record.sender(), record.sentAt(), record.target(),
					StateJson.counts(json.path("counts")), ServerFacts.reactionChanges(record.facts()),
					record.thread());
		}
		if (type.equals(EventType.PIN_CHANGED)) {
			return pinned(record, json);
		}
		if (type.equals(EventType.ROOM_CHANGED)) {
			return changed(record, json);
		}
		throw new UnreadableEventException("This build does not know the event type '" + type.wireName() + "'");
	}

	private static RoomCreated created(EventRecord record, JsonNode json) {
		return new RoomCreated(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "name"),
				text(json, "kind"), Json.strings(json.path("members"), "members"));
	}

	private static MemberRole role(EventRecord record, JsonNode json) {
		return new MemberRole(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "member"),
				text(json, "role"));
	}

	private static MessageEdited edited(EventRecord record, JsonNode json) {
		return new MessageEdited(record.room(), record.id(), record.sender(), clientId(record), record.sentAt(),
				record.target(), text(json, "text"), record.thread(), optionalMentions(json), record.mentionedBefore());
	}

	private static MessageDeleted deleted(EventRecord record, JsonNode json) {
		return new MessageDeleted(record.room(), record.id(), record.sender(), clientId(record), record.sentAt(),
				record.target(), text(json, "as"), json.path("reason").stringValue(null), record.thread());
	}

	private static PinChanged pinned(EventRecord record, JsonNode json) {
		if (!json.path("on").isBoolean()) {
			throw new UnreadableEventException("The tail has no field 'on'");
		}
		return new PinChanged(record.room(), record.id(), record.sender(), record.clientId(), record.sentAt(),
				record.target(), json.path("on").asBoolean(), record.thread());
	}

	private static RoomChanged changed(EventRecord record, JsonNode json) {
		JsonNode slowMode = json.path("slowMode");
		JsonNode memberPins = json.path("memberPins");
		return new RoomChanged(record.room(), record.id(), record.sender(), record.sentAt(),
				json.path("name").stringValue(null), json.path("topic").stringValue(null),
				slowMode.isInt() ? slowMode.asInt() : null, memberPins.isBoolean() ? memberPins.asBoolean() : null);
	}

	private static @Nullable Mentions optionalMentions(JsonNode json) {
		return json.path("mentions").isObject() ? Mentions.of(json.path("mentions")) : null;
	}

	private static String clientId(EventRecord record) {
		return Json.required(record.clientId(), "clientId");
	}

	private static String text(JsonNode json, String field) {
		return Json.required(json.path(field).stringValue(null), field);
	}

	/**
	 * Copies the client's own fields from the bytes, because a node tree would change
	 * numbers.
	 */
	private static MessagePosted message(EventRecord record, byte[] object) {
		Map<String, String> strings = new HashMap<>();
		Map<String, String> extra = new LinkedHashMap<>();
		boolean deleted = false;
		long replyTo = Positions.NONE;
		Mentions mentions = null;
		try (JsonParser json = Json.MAPPER.createParser(object)) {
			json.nextToken();
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				JsonToken value = json.nextToken();
				if (value == JsonToken.VALUE_STRING) {
					strings.put(name, json.getString());
				}
				deleted |= value == JsonToken.VALUE_TRUE && name.equals("deleted");
				if (value == JsonToken.VALUE_NUMBER_INT && name.equals("replyTo")) {
					replyTo = json.getLongValue();
				}
				int start = (int) json.currentTokenLocation().getByteOffset();
				json.skipChildren();
				int end = (int) json.currentLocation().getByteOffset();
				if (value == JsonToken.START_OBJECT && name.equals("mentions")) {
					mentions = Mentions.parse(new String(object, start, end - start, StandardCharsets.UTF_8));
				}
				if (!EventRecord.RESERVED_FIELDS.contains(name)) {
					extra.put(name, new String(object, start, end - start, StandardCharsets.UTF_8));
				}
			}
			if (json.nextToken() != null) {
				throw new UnreadableEventException("The tail has content after its closing brace");
			}
		}
		String text = Json.required(strings.get("text"), "text");
		return new MessagePosted(record.room(), record.id(), record.sender(),
				Json.required(strings.get("clientId"), "clientId"), record.sentAt(), text, extra,
				deleted && text.isEmpty(), replyTo, inThread(record), mentions);
	}

	private static MessagePosted.@Nullable InThread inThread(EventRecord record) {
		String author = record.threadAuthor();
		return record.type().isReply() ? new MessagePosted.InThread(record.thread(), (author != null) ? author : "")
				: null;
	}

}
