package io.parley.events;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

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
		return tail(event.id(), event.sender(), (json) -> writeOwnFields(json, event));
	}

	private static byte[] tail(String id, String sender, Consumer<JsonGenerator> fields) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(256);
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			json.writeStringProperty("id", id);
			json.writeStringProperty("sender", sender);
			fields.accept(json);
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
				json.writeName("counts");
				writeCounts(json, reactions.counts());
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
			json.writeRawValue(mentions(mentions));
		}
	}

	/** Returns whom a message mentions, as clients see it. */
	static String mentions(Mentions mentions) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			json.writePOJOProperty("users", mentions.users());
			if (!mentions.groups().isEmpty()) {
				json.writePOJOProperty("groups", mentions.groups());
			}
			if (mentions.room()) {
				json.writeBooleanProperty("room", true);
			}
			json.writeEndObject();
		}
		return out.toString(StandardCharsets.UTF_8);
	}

	static Mentions parseMentions(String json) {
		try {
			return mentions(MAPPER.readTree(json));
		}
		catch (JacksonException ex) {
			throw new UnreadableEventException("The mentions are not JSON", ex);
		}
	}

	private static Mentions mentions(JsonNode json) {
		return new Mentions(strings(json.path("users"), "mentions"), strings(json.path("groups"), "mentions"),
				json.path("room").asBoolean(false));
	}

	private static @Nullable Mentions optionalMentions(JsonNode json) {
		return json.path("mentions").isObject() ? mentions(json.path("mentions")) : null;
	}

	private static void writePosition(JsonGenerator json, String name, long position) {
		if (position != Positions.NONE) {
			json.writeNumberProperty(name, position);
		}
	}

	private static void writeCounts(JsonGenerator json, Map<String, Integer> counts) {
		json.writeStartObject();
		counts.forEach((key, count) -> json.writeNumberProperty(key, count.intValue()));
		json.writeEndObject();
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

	/**
	 * Returns what only servers read of an event: all changes of reactions, the author of
	 * the root of a thread, or whom a message mentioned before an edit.
	 */
	static byte[] facts(RoomEvent event) {
		if (event instanceof MessagePosted message && message.inThread() != null) {
			return message.inThread().author().getBytes(StandardCharsets.UTF_8);
		}
		if (event instanceof MessageEdited edit && edit.mentionedBefore() != null) {
			return mentions(edit.mentionedBefore()).getBytes(StandardCharsets.UTF_8);
		}
		if (!(event instanceof ReactionChanged reactions)) {
			return EventRecord.NO_FACTS;
		}
		ByteArrayOutputStream out = new ByteArrayOutputStream(64 * reactions.changes().size());
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartArray();
			for (Reaction.Change change : reactions.changes()) {
				json.writeStartArray();
				json.writeString(change.reaction().user());
				json.writeString(change.reaction().key());
				json.writeBoolean(change.on());
				json.writeEndArray();
			}
			json.writeEndArray();
		}
		return out.toByteArray();
	}

	static List<Reaction.Change> reactionChanges(byte[] facts) {
		List<Reaction.Change> changes = new ArrayList<>();
		try {
			for (JsonNode change : MAPPER.readTree(facts)) {
				changes.add(new Reaction.Change(new Reaction(string(change.path(0)), string(change.path(1))),
						change.path(2).asBoolean(false)));
			}
			return changes;
		}
		catch (JacksonException ex) {
			throw new UnreadableEventException("The facts are not JSON", ex);
		}
	}

	private static String string(JsonNode node) {
		return required(node.stringValue(null), "facts");
	}

	static String counts(Map<String, Integer> counts) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			writeCounts(json, counts);
		}
		return out.toString(StandardCharsets.UTF_8);
	}

	static Map<String, Integer> parseCounts(String json) {
		return counts(MAPPER.readTree(json));
	}

	private static Map<String, Integer> counts(JsonNode json) {
		Map<String, Integer> counts = new LinkedHashMap<>();
		json.forEachEntry((key, count) -> counts.put(key, count.asInt(0)));
		return counts;
	}

	/** Returns the reactions of a message as one user sees them. */
	static String reactions(Map<String, ReactionView> reactions) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			reactions.forEach((key, reaction) -> {
				json.writeObjectPropertyStart(key);
				json.writeNumberProperty("n", reaction.n());
				json.writeBooleanProperty("mine", reaction.mine());
				json.writePOJOProperty("users", reaction.users());
				json.writeEndObject();
			});
			json.writeEndObject();
		}
		return out.toString(StandardCharsets.UTF_8);
	}

	/** Returns the thread of a message as clients see it. */
	static String thread(ThreadState thread) {
		ByteArrayOutputStream out = new ByteArrayOutputStream();
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			json.writeNumberProperty("replies", thread.replies());
			json.writeNumberProperty("lastPosition", thread.last());
			json.writePOJOProperty("users", thread.users());
			json.writeEndObject();
		}
		return out.toString(StandardCharsets.UTF_8);
	}

	/** Writes the tail of a change whose content is left out. */
	static byte[] supersededTail(EventRecord change) {
		return tail(change.id(), change.sender(), (json) -> {
			writeChange(json, change.clientId(), change.sentAt().toString(), change.target(), change.thread());
			json.writeBooleanProperty("superseded", true);
		});
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
		if (type.equals(EventType.MESSAGE_EDITED)) {
			return edited(record, MAPPER.readTree(object));
		}
		if (type.equals(EventType.MESSAGE_DELETED)) {
			return deleted(record, MAPPER.readTree(object));
		}
		if (type.equals(EventType.REACTION_CHANGED)) {
			return new ReactionChanged(record.room(), record.id(), record.sender(), record.sentAt(), record.target(),
					counts(MAPPER.readTree(object).path("counts")), reactionChanges(record.facts()), record.thread());
		}
		if (type.equals(EventType.PIN_CHANGED)) {
			return pinned(record, MAPPER.readTree(object));
		}
		if (type.equals(EventType.ROOM_CHANGED)) {
			return changed(record, MAPPER.readTree(object));
		}
		throw new UnreadableEventException("This build does not know the event type '" + type.wireName() + "'");
	}

	private static RoomCreated created(EventRecord record, JsonNode json) {
		return new RoomCreated(record.room(), record.id(), record.sender(), record.sentAt(), text(json, "name"),
				text(json, "kind"), strings(json.path("members"), "members"));
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

	private static String clientId(EventRecord record) {
		return required(record.clientId(), "clientId");
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

	private static List<String> strings(JsonNode array, String field) {
		List<String> strings = new ArrayList<>();
		array.forEach((element) -> strings.add(required(element.stringValue(null), field)));
		return List.copyOf(strings);
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
		try (JsonParser json = MAPPER.createParser(object)) {
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
					mentions = parseMentions(new String(object, start, end - start, StandardCharsets.UTF_8));
				}
				if (!EventRecord.RESERVED_FIELDS.contains(name)) {
					extra.put(name, new String(object, start, end - start, StandardCharsets.UTF_8));
				}
			}
			if (json.nextToken() != null) {
				throw new UnreadableEventException("The tail has content after its closing brace");
			}
		}
		String text = required(strings.get("text"), "text");
		return new MessagePosted(record.room(), record.id(), record.sender(),
				required(strings.get("clientId"), "clientId"), record.sentAt(), text, extra, deleted && text.isEmpty(),
				replyTo, inThread(record), mentions);
	}

	private static MessagePosted.@Nullable InThread inThread(EventRecord record) {
		String author = record.threadAuthor();
		return record.type().isReply() ? new MessagePosted.InThread(record.thread(), (author != null) ? author : "")
				: null;
	}

}
