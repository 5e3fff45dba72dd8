package io.parley.events;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes and parses the JSON tail of an {@link EventRecord}. */
final class EventJson {

	private static final JsonMapper MAPPER = new JsonMapper();

	private EventJson() {
	}

	static byte[] tail(RoomEvent event) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(256);
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			json.writeStringProperty("id", event.id());
			json.writeStringProperty("sender", event.sender());
			writeOwnFields(json, event);
			json.writeEndObject();
		}
		byte[] object = out.toByteArray();
		return Arrays.copyOfRange(object, 1, object.length);
	}

	private static void writeOwnFields(JsonGenerator json, RoomEvent event) {
		String sentAt = event.sentAt().toString();
		switch (event) {
			case MessagePosted message -> {
				json.writeStringProperty("clientId", message.clientId());
				json.writeStringProperty("sentAt", sentAt);
				json.writeStringProperty("text", message.text());
				message.extra().forEach((name, value) -> {
					json.writeName(name);
					json.writeRawValue(value);
				});
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
		if (type.equals(EventType.MESSAGE_POSTED)) {
			return message(record, object);
		}
		if (type.equals(EventType.ROOM_CREATED)) {
			return created(record, MAPPER.readTree(object));
		}
		if (type.equals(EventType.MEMBER_JOINED)) {
			return new MemberJoined(record.room(), record.id(), record.sender(), record.sentAt(), member(object));
		}
		if (type.equals(EventType.MEMBER_LEFT)) {
			return new MemberLeft(record.room(), record.id(), record.sender(), record.sentAt(), member(object));
		}
		if (type.equals(EventType.MEMBER_ROLE)) {
			return role(record, MAPPER.readTree(object));
		}
		throw new UnreadableEventException("This build does not know the event type '" + type.wireName() + "'");
	}

	private static RoomCreated created(EventRecord record, JsonNode json) {
		return new RoomCreated(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "name"),
				text(json, "kind"), strings(json.path("members")));
	}

	private static MemberRole role(EventRecord record, JsonNode json) {
		return new MemberRole(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "member"),
				text(json, "role"));
	}

	private static String member(byte[] object) {
		return text(MAPPER.readTree(object), "member");
	}

	private static String text(JsonNode json, String field) {
		return required(json.path(field).stringValue(null), field);
	}

	private static String required(@Nullable String value, String field) {
		if (value == null) {
			throw new UnreadableEventException("The tail has no text field '" + field + "'");
		}
		return value;
	}

	private static List<String> strings(JsonNode array) {
		List<String> strings = new ArrayList<>();
		array.forEach((element) -> strings.add(required(element.stringValue(null), "members")));
		return List.copyOf(strings);
	}

	/**
	 * Copies the client's own fields from the bytes, because a node tree would change
	 * numbers.
	 */
	private static MessagePosted message(EventRecord record, byte[] object) {
		Map<String, String> strings = new HashMap<>();
		Map<String, String> extra = new LinkedHashMap<>();
		try (JsonParser json = MAPPER.createParser(object)) {
			json.nextToken();
			for (String name = json.nextName(); name != null; name = json.nextName()) {
				if (json.nextToken() == JsonToken.VALUE_STRING) {
					strings.put(name, json.getString());
				}
				int start = (int) json.currentTokenLocation().getByteOffset();
				json.skipChildren();
				int end = (int) json.currentLocation().getByteOffset();
				if (!EventRecord.RESERVED_FIELDS.contains(name)) {
					extra.put(name, new String(object, start, end - start, StandardCharsets.UTF_8));
				}
			}
			if (json.nextToken() != null) {
				throw new UnreadableEventException("The tail has content after its closing brace");
			}
		}
		return new MessagePosted(record.room(), record.id(), record.sender(),
				required(strings.get("clientId"), "clientId"), record.sentAt(), required(strings.get("text"), "text"),
				extra);
	}

}
