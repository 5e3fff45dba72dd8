package io.parley.server.message;

import java.util.Map;
import java.util.Set;

import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import org.jspecify.annotations.Nullable;

/**
 * A change of a message as sent by a client.
 *
 * @param clientId 1 to 64 characters, the same in each retry
 * @param target the position of the message
 * @param content the new text of an edit; the reason of a deletion, or null
 * @param mentions whom an edited message mentions; null if that does not change
 */
record ChangeDraft(String clientId, long target, @Nullable String content, @Nullable MentionsDraft mentions) {

	/**
	 * Reads an edit.
	 * @param target the position of the message if it is not in the fields, or null
	 */
	static ChangeDraft edit(Map<String, JsonField> fields, @Nullable Long target) {
		requireOnly(fields, Set.of("clientId", "target", "text", "mentions"));
		return new ChangeDraft(MessageDraft.requiredClientId(fields), target(fields, target),
				MessageDraft.text(fields, "text"), MentionsDraft.of(fields));
	}

	/**
	 * Reads a deletion. Without a client id it gets one that is made of the position.
	 * @param target the position of the message if it is not in the fields, or null
	 */
	static ChangeDraft delete(Map<String, JsonField> fields, @Nullable Long target) {
		requireOnly(fields, Set.of("clientId", "target", "reason"));
		long position = target(fields, target);
		String clientId = isPresent(fields.get("clientId")) ? MessageDraft.requiredClientId(fields)
				: "delete-" + position;
		return new ChangeDraft(clientId, position,
				isPresent(fields.get("reason")) ? MessageDraft.text(fields, "reason") : null, null);
	}

	static boolean isPresent(@Nullable JsonField field) {
		return field != null && !field.raw().equals("null");
	}

	static void requireOnly(Map<String, JsonField> fields, Set<String> names) {
		fields.forEach((name, field) -> {
			if (!names.contains(name) && !MessageDraft.isUnusedLaterField(name, field)) {
				throw ErrorCode.BAD_MESSAGE.because("A change of a message has no field '" + name + "'.");
			}
		});
	}

	static long target(Map<String, JsonField> fields, @Nullable Long target) {
		JsonField field = fields.get("target");
		if (target != null) {
			if (isPresent(field)) {
				throw ErrorCode.BAD_MESSAGE.because("The position is in the path; omit 'target'.");
			}
			return target;
		}
		try {
			if (field != null) {
				return Long.parseLong(field.raw());
			}
		}
		catch (NumberFormatException ex) {
			// Refused below.
		}
		throw ErrorCode.BAD_MESSAGE.because("'target' must be the position of a message.");
	}

}
