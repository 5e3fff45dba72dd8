package io.parley.events;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes and parses JSON for the other classes of this package. */
final class Json {

	static final JsonMapper MAPPER = new JsonMapper();

	private Json() {
	}

	/** Returns an object with these fields, as UTF-8. */
	static byte[] object(Consumer<JsonGenerator> fields) {
		ByteArrayOutputStream out = new ByteArrayOutputStream(256);
		try (JsonGenerator json = MAPPER.createGenerator(out)) {
			json.writeStartObject();
			fields.accept(json);
			json.writeEndObject();
		}
		return out.toByteArray();
	}

	/** Returns an object with these fields. */
	static String text(Consumer<JsonGenerator> fields) {
		return new String(object(fields), StandardCharsets.UTF_8);
	}

	/**
	 * Parses JSON.
	 * @param what names the JSON in the message of the exception
	 * @throws UnreadableEventException if it is not JSON
	 */
	static JsonNode parse(byte[] json, String what) {
		try {
			return MAPPER.readTree(json);
		}
		catch (JacksonException ex) {
			throw new UnreadableEventException("The " + what + " are not JSON", ex);
		}
	}

	static String required(@Nullable String value, String field) {
		if (value == null) {
			throw new UnreadableEventException("The tail has no text field '" + field + "'");
		}
		return value;
	}

	static List<String> strings(JsonNode array, String field) {
		List<String> strings = new ArrayList<>();
		array.forEach((element) -> strings.add(required(element.stringValue(null), field)));
		return List.copyOf(strings);
	}

}
