package io.parley.server.message;

import java.util.Map;
import java.util.Set;

import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import org.jspecify.annotations.Nullable;

/**
 * A change of the pin of a message as sent by a client.
 *
 * @param target the position of the message
 * @param on whether the message is pinned from now on
 * @param clientId 1 to 64 characters, the same in each retry; null for none
 */
record PinDraft(long target, boolean on, @Nullable String clientId) {

	/** Reads a pin from the fields of a SEND. */
	static PinDraft of(Map<String, JsonField> fields) {
		ChangeDraft.requireOnly(fields, Set.of("clientId", "target", "on"));
		return new PinDraft(ChangeDraft.target(fields, null), requiredOn(fields), optionalClientId(fields));
	}

	/** Reads a pin whose message is in the path. */
	static PinDraft of(Map<String, JsonField> fields, long target, boolean on) {
		ChangeDraft.requireOnly(fields, Set.of("clientId"));
		return new PinDraft(target, on, optionalClientId(fields));
	}

	/** Reads the field {@code on}. */
	static boolean requiredOn(Map<String, JsonField> fields) {
		JsonField field = fields.get("on");
		Boolean on = (field != null) ? field.bool() : null;
		if (on == null) {
			throw ErrorCode.BAD_MESSAGE.because("'on' must be true or false.");
		}
		return on;
	}

	private static @Nullable String optionalClientId(Map<String, JsonField> fields) {
		return ChangeDraft.isPresent(fields.get("clientId")) ? MessageDraft.requiredClientId(fields) : null;
	}

}
