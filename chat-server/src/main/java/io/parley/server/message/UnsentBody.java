package io.parley.server.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import tools.jackson.databind.json.JsonMapper;

/**
 * The JSON of what a client has written and not sent yet, exactly as the client sent it.
 */
final class UnsentBody {

	private static final JsonMapper MAPPER = new JsonMapper();

	private static final Set<String> DRAFT = Set.of("text", "replyTo", "mentions", "clientId");

	private UnsentBody() {
	}

	/**
	 * Reads a draft.
	 * @return its JSON
	 * @throws io.parley.server.error.ChatException {@code bad-message} if it is not valid
	 */
	static String ofDraft(Map<String, JsonField> fields) {
		fields.keySet().stream().filter((name) -> !DRAFT.contains(name)).findFirst().ifPresent((name) -> {
			throw ErrorCode.BAD_MESSAGE.because("A draft has no field '" + name + "'.");
		});
		MessageDraft.text(fields, "text");
		MessageDraft.position(fields, "replyTo");
		MentionsDraft.of(fields);
		return json(fields, Set.of("clientId"));
	}

	/**
	 * Returns the JSON of the fields that are not null, without those with these names.
	 */
	static String json(Map<String, JsonField> fields, Set<String> without) {
		return fields.entrySet()
			.stream()
			.filter((field) -> !without.contains(field.getKey()) && ChangeDraft.isPresent(field.getValue()))
			.map((field) -> MAPPER.writeValueAsString(field.getKey()) + ":" + field.getValue().raw())
			.collect(Collectors.joining(",", "{", "}"));
	}

	/** Returns the fields with changes; those that are null there are removed. */
	static Map<String, JsonField> merge(Map<String, JsonField> fields, Map<String, JsonField> changes) {
		Map<String, JsonField> merged = new LinkedHashMap<>(fields);
		merged.putAll(changes);
		merged.values().removeIf((field) -> !ChangeDraft.isPresent(field));
		return merged;
	}

	/** Returns a field with a string that needs no escapes. */
	static JsonField string(String value) {
		return new JsonField("\"" + value + "\"", value);
	}

}
