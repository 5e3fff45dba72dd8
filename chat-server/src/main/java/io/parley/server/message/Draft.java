package io.parley.server.message;

import java.util.HashMap;
import java.util.Map;

import io.parley.events.EventRecord;
import io.parley.server.refusal.Refusal;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A message as a client sends it.
 *
 * @param clientId 1 to 64 characters, the same in each retry
 * @param text not empty
 * @param extra the client's own fields
 */
record Draft(String clientId, String text, Map<String, Object> extra) {

	private static final int MAX_CLIENT_ID = 64;

	/**
	 * Reads the body of a SEND.
	 * @throws io.parley.server.refusal.RefusedException when it is not a message
	 */
	static Draft parse(JsonMapper mapper, byte[] body) {
		JsonNode json = object(mapper, body);
		String clientId = text(json, "clientId", "");
		if (clientId.length() > MAX_CLIENT_ID) {
			throw Refusal.BAD_MESSAGE.because("'clientId' must have at most " + MAX_CLIENT_ID + " characters.");
		}
		String text = text(json, "text", clientId);
		Map<String, Object> extra = new HashMap<>();
		json.properties().forEach((field) -> {
			if (!EventRecord.RESERVED_FIELDS.contains(field.getKey())) {
				extra.put(field.getKey(), field.getValue());
			}
			else if (!field.getKey().equals("clientId") && !field.getKey().equals("text")) {
				throw Refusal.BAD_MESSAGE.because("Only the server may set '" + field.getKey() + "'.", clientId);
			}
		});
		return new Draft(clientId, text, extra);
	}

	/** The client id of a body that is refused as a whole, or null when it has none. */
	static @Nullable String clientId(JsonMapper mapper, byte[] body) {
		try {
			return mapper.readTree(body).path("clientId").stringValue(null);
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	static JsonNode object(JsonMapper mapper, byte[] body) {
		try {
			JsonNode json = mapper.readTree(body);
			if (json != null && json.isObject()) {
				return json;
			}
		}
		catch (JacksonException ex) {
			// the same answer
		}
		throw Refusal.BAD_MESSAGE.because("The body must be a JSON object.");
	}

	private static String text(JsonNode json, String field, String clientId) {
		JsonNode value = json.path(field);
		if (!value.isString() || value.stringValue().isEmpty()) {
			String reason = "The message needs a text field '" + field + "'.";
			throw clientId.isEmpty() ? Refusal.BAD_MESSAGE.because(reason)
					: Refusal.BAD_MESSAGE.because(reason, clientId);
		}
		return value.stringValue();
	}

}
