package io.parley.events;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes the JSON tail of an {@link EventRecord} and reads it back. */
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
				message.extra().forEach(json::writePOJOProperty);
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
		}
	}

	static RoomEvent parse(EventRecord at) {
		JsonNode json = object(at.tail());
		return switch (at.type()) {
			case MESSAGE_POSTED -> new MessagePosted(at.room(), at.id(), at.sender(), text(json, "clientId"),
					at.sentAt(), text(json, "text"), extra(json));
			case ROOM_CREATED -> new RoomCreated(at.room(), at.id(), at.sender(), at.sentAt(), text(json, "name"),
					text(json, "kind"), strings(json.path("members")));
			case MEMBER_JOINED -> new MemberJoined(at.room(), at.id(), at.sender(), at.sentAt(), text(json, "member"));
			case MEMBER_LEFT -> new MemberLeft(at.room(), at.id(), at.sender(), at.sentAt(), text(json, "member"));
		};
	}

	private static JsonNode object(byte[] tail) {
		byte[] object = new byte[tail.length + 1];
		object[0] = '{';
		System.arraycopy(tail, 0, object, 1, tail.length);
		try {
			return MAPPER.readTree(object);
		}
		catch (JacksonException ex) {
			throw new UnreadableEventException("The tail is not JSON", ex);
		}
	}

	private static String text(JsonNode json, String field) {
		JsonNode value = json.path(field);
		if (!value.isString()) {
			throw new UnreadableEventException("The tail has no text field '" + field + "'");
		}
		return value.stringValue();
	}

	private static List<String> strings(JsonNode array) {
		List<String> strings = new ArrayList<>();
		array.forEach((element) -> strings.add(element.asString()));
		return List.copyOf(strings);
	}

	private static Map<String, Object> extra(JsonNode json) {
		Map<String, Object> extra = new HashMap<>();
		json.properties().forEach((property) -> {
			if (!EventRecord.RESERVED_FIELDS.contains(property.getKey())) {
				extra.put(property.getKey(), property.getValue());
			}
		});
		return extra;
	}

}
