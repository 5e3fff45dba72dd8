package io.parley.server.message;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.parley.events.EventRecord;
import io.parley.events.Positions;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.json.JsonField;
import io.parley.server.json.StrictJson;
import org.jspecify.annotations.Nullable;

/**
 * A message as sent by a client.
 *
 * @param clientId 1 to 64 characters, the same in each retry
 * @param text not empty
 * @param extra the client's own fields: name and JSON, exactly as sent
 * @param replyTo the position of the message that this one answers; 0 for none
 * @param thread the root of the thread; 0 for a message of the room
 * @param mentions null if the client does not say whom the message mentions
 */
record MessageDraft(String clientId, String text, Map<String, String> extra, long replyTo, long thread,
		@Nullable MentionsDraft mentions) {

	private static final Set<String> OWN_FIELDS = Set.of("clientId", "text", "replyTo", "thread", "mentions");

	private static final int MAX_CLIENT_ID = 64;

	/**
	 * Parses the body of a frame or request.
	 * @throws ChatException if it is not valid; it carries the client id if that was read
	 * before the error
	 */
	static <T> T parse(StrictJson json, byte[] body, Function<Map<String, JsonField>, T> draft) {
		Map<String, JsonField> fields = new LinkedHashMap<>();
		try {
			json.read(body, ErrorCode.BAD_MESSAGE, fields);
			return draft.apply(fields);
		}
		catch (ChatException ex) {
			throw ex.withClientId(clientId(fields));
		}
	}

	/**
	 * Reads a message from the fields of a SEND.
	 * @param thread the root of the thread if it is not in the fields, or null
	 * @throws ChatException if the message is not valid, or no message can be at that
	 * position
	 */
	static MessageDraft of(Map<String, JsonField> fields, @Nullable Long thread) {
		String clientId = requiredClientId(fields);
		String text = text(fields, "text");
		Map<String, String> extra = new LinkedHashMap<>();
		fields.forEach((name, field) -> {
			if (!EventRecord.RESERVED_FIELDS.contains(name)) {
				extra.put(name, field.raw());
			}
			else if (!OWN_FIELDS.contains(name) && !isUnusedLaterField(name, field)) {
				throw ErrorCode.BAD_MESSAGE.because("Only the server may set '" + name + "'.");
			}
		});
		if (thread != null && ChangeDraft.isPresent(fields.get("thread"))) {
			throw ErrorCode.BAD_MESSAGE.because("The thread is in the path; omit 'thread'.");
		}
		if (thread != null && thread <= Positions.NONE) {
			throw ErrorCode.NOT_FOUND.because("There is no message at position " + thread + ".");
		}
		return new MessageDraft(clientId, text, extra, position(fields, "replyTo"),
				(thread != null) ? thread : position(fields, "thread"), MentionsDraft.of(fields));
	}

	/** Reads the position of a message; 0 if there is none. */
	static long position(Map<String, JsonField> fields, String name) {
		JsonField field = fields.get(name);
		if (field == null || !ChangeDraft.isPresent(field)) {
			return Positions.NONE;
		}
		try {
			long position = Long.parseLong(field.raw());
			if (position > 0) {
				return position;
			}
		}
		catch (NumberFormatException ex) {
			// Refused below.
		}
		throw ErrorCode.BAD_MESSAGE.because("'" + name + "' must be the position of a message.");
	}

	/**
	 * Whether the field is a null field of a later protocol version. Clients that do not
	 * use such a field may send it as null.
	 */
	static boolean isUnusedLaterField(String name, JsonField field) {
		return EventRecord.FIELDS_OF_LATER_VERSIONS.contains(name) && field.raw().equals("null");
	}

	static String requiredClientId(Map<String, JsonField> fields) {
		String clientId = text(fields, "clientId");
		if (clientId.length() > MAX_CLIENT_ID) {
			throw ErrorCode.BAD_MESSAGE.because("'clientId' must have at most " + MAX_CLIENT_ID + " characters.");
		}
		return clientId;
	}

	static String text(Map<String, JsonField> fields, String name) {
		JsonField field = fields.get(name);
		String string = (field != null) ? field.string() : null;
		if (string == null || string.isEmpty()) {
			throw ErrorCode.BAD_MESSAGE.because("The message needs a text field '" + name + "'.");
		}
		return string;
	}

	/**
	 * Returns the client id of a body that is refused as a whole, or null if it has none.
	 */
	static @Nullable String clientId(StrictJson json, byte[] body) {
		Map<String, JsonField> fields = new LinkedHashMap<>();
		try {
			json.read(body, ErrorCode.BAD_MESSAGE, fields);
		}
		catch (ChatException ex) {
			// The fields read before the error may include the client id.
		}
		return clientId(fields);
	}

	private static @Nullable String clientId(Map<String, JsonField> fields) {
		JsonField field = fields.get("clientId");
		String clientId = (field != null) ? field.string() : null;
		return (clientId != null && !clientId.isEmpty() && clientId.length() <= MAX_CLIENT_ID) ? clientId : null;
	}

}
