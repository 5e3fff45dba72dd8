package io.parley.server.message;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The mentions of a message, as sent by a client.
 *
 * @param users names, each once
 * @param groups the names of groups of members, each once
 * @param room whether the whole room is mentioned
 */
record MentionsDraft(List<String> users, List<String> groups, boolean room) {

	static final int MAX_USERS = 50;

	/** Longer than any name. */
	private static final int MAX_NAME = 64;

	private static final Set<String> FIELDS = Set.of("users", "groups", "room");

	private static final JsonMapper MAPPER = new JsonMapper();

	/**
	 * Reads the mentions from the fields of a message or an edit.
	 * @return null if the client does not say whom the message mentions
	 * @throws ChatException if they are not valid
	 */
	static @Nullable MentionsDraft of(Map<String, JsonField> fields) {
		JsonField field = fields.get("mentions");
		if (field == null || !ChangeDraft.isPresent(field)) {
			return null;
		}
		JsonNode mentions = MAPPER.readTree(field.raw());
		if (!mentions.isObject() || !FIELDS.containsAll(mentions.propertyNames())) {
			throw notMentions();
		}
		JsonNode room = mentions.path("room");
		if (!(room.isBoolean() || isAbsent(room))) {
			throw notMentions();
		}
		List<String> users = names(mentions.path("users"));
		if (users.size() > MAX_USERS) {
			throw tooMany();
		}
		return new MentionsDraft(users, names(mentions.path("groups")), room.asBoolean(false));
	}

	private static List<String> names(JsonNode names) {
		Set<String> unique = new LinkedHashSet<>();
		if (isAbsent(names)) {
			return List.of();
		}
		if (!names.isArray()) {
			throw notMentions();
		}
		for (JsonNode name : names) {
			String string = name.stringValue(null);
			if (string == null || string.isEmpty() || string.length() > MAX_NAME) {
				throw notMentions();
			}
			unique.add(string);
		}
		return new ArrayList<>(unique);
	}

	private static boolean isAbsent(JsonNode node) {
		return node.isMissingNode() || node.isNull();
	}

	private static ChatException notMentions() {
		return ErrorCode.BAD_MESSAGE.because("'mentions' must be an object such as {\"users\":[\"bob\"],"
				+ "\"groups\":[\"moderators\"],\"room\":true}; each field may be left out.");
	}

	static ChatException tooMany() {
		return ErrorCode.BAD_MESSAGE
			.because("A message may mention at most " + MAX_USERS + " users, those of groups included.");
	}

}
