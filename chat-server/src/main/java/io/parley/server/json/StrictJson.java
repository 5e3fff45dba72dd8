package io.parley.server.json;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses JSON from clients: exactly one object in valid UTF-8. A name may occur only once
 * per object. Names and strings at any depth must not contain U+0000 or an unpaired
 * surrogate. The depth, the number of tokens and the lengths of names, numbers and
 * strings are limited. Numbers are validated but not converted. Safe for use by many
 * threads.
 */
public class StrictJson {

	private static final int MAX_DEPTH = 16;

	private static final int MAX_TOKENS = 5_000;

	private static final int MAX_NAME = 128;

	private static final int MAX_NUMBER = 1_000;

	private static final int MIN_MAX_STRING = 32 * 1_024;

	private final JsonFactory factory;

	private final String limitsMessage;

	/**
	 * Creates a parser that accepts strings as long as the longest message, but at least
	 * 32,768 characters.
	 * @param messageBytes the maximum size of a message, 0 for no limit
	 */
	public StrictJson(int messageBytes) {
		int maxString = Math.max(MIN_MAX_STRING, (messageBytes > 0) ? messageBytes : Integer.MAX_VALUE);
		this.factory = JsonFactory.builder()
			.streamReadConstraints(StreamReadConstraints.builder()
				.maxNestingDepth(MAX_DEPTH)
				.maxTokenCount(MAX_TOKENS)
				.maxNameLength(MAX_NAME)
				.maxNumberLength(MAX_NUMBER)
				.maxStringLength(maxString)
				.build())
			.enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
			// Clients choose the names, so a symbol table would grow without bound.
			.disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
			.build();
		this.limitsMessage = "The body may have at most " + MAX_DEPTH + " levels and " + MAX_TOKENS
				+ " names, values and brackets; a name may have " + MAX_NAME + " characters, a number " + MAX_NUMBER
				+ ", a string " + maxString + ".";
	}

	/**
	 * Returns the fields of an object in their order.
	 * @param errorCode the code of the exception for an invalid body
	 * @throws ChatException if the body is invalid; its message says which rule it breaks
	 */
	public Map<String, JsonField> read(byte[] body, ErrorCode errorCode) {
		Map<String, JsonField> fields = new LinkedHashMap<>();
		read(body, errorCode, fields);
		return fields;
	}

	/**
	 * Reads the fields of an object into a map. If the body is invalid, the map holds the
	 * fields before the error.
	 * @param errorCode the code of the exception for an invalid body
	 * @param fields receives the fields in their order
	 * @throws ChatException if the body is invalid; its message says which rule it breaks
	 */
	public void read(byte[] body, ErrorCode errorCode, Map<String, JsonField> fields) {
		CharBuffer text = decode(body, errorCode);
		try (JsonParser json = this.factory.createParser(ObjectReadContext.empty(), text.array(), 0, text.length())) {
			if (json.nextToken() != JsonToken.START_OBJECT) {
				throw notAnObject(errorCode);
			}
			while (json.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = requireValidText(json.currentName(), errorCode);
				json.nextToken();
				fields.put(name, value(json, text.array(), errorCode));
			}
			if (json.nextToken() != null) {
				throw notAnObject(errorCode);
			}
		}
		catch (StreamConstraintsException ex) {
			throw errorCode.because(this.limitsMessage);
		}
		catch (JacksonException ex) {
			throw notAnObject(errorCode);
		}
	}

	/** Decodes strictly, because Jackson accepts overlong UTF-8. */
	private static CharBuffer decode(byte[] body, ErrorCode errorCode) {
		try {
			return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(body));
		}
		catch (CharacterCodingException ex) {
			throw errorCode.because("The body must be valid UTF-8.");
		}
	}

	private static JsonField value(JsonParser json, char[] text, ErrorCode errorCode) {
		int start = (int) json.currentTokenLocation().getCharOffset();
		String string = (json.currentToken() == JsonToken.VALUE_STRING) ? requireValidText(json.getString(), errorCode)
				: null;
		if (json.currentToken().isStructStart()) {
			checkChildren(json, errorCode);
		}
		int end = (int) json.currentLocation().getCharOffset();
		return new JsonField(new String(text, start, end - start), string);
	}

	private static void checkChildren(JsonParser json, ErrorCode errorCode) {
		int depth = 1;
		while (depth > 0) {
			JsonToken token = json.nextToken();
			if (token.isStructStart()) {
				depth++;
			}
			else if (token.isStructEnd()) {
				depth--;
			}
			else if (token == JsonToken.PROPERTY_NAME || token == JsonToken.VALUE_STRING) {
				requireValidText(json.getString(), errorCode);
			}
		}
	}

	private static String requireValidText(String string, ErrorCode errorCode) {
		for (int i = 0; i < string.length(); i++) {
			char at = string.charAt(i);
			boolean pair = Character.isHighSurrogate(at) && i + 1 < string.length()
					&& Character.isLowSurrogate(string.charAt(i + 1));
			if (pair) {
				i++;
			}
			else if (at == 0 || Character.isSurrogate(at)) {
				throw errorCode
					.because("The body has U+0000 or half of a surrogate pair in a name or string; leave that out.");
			}
		}
		return string;
	}

	private static ChatException notAnObject(ErrorCode errorCode) {
		return errorCode.because("The body must be one JSON object, in which no name comes twice.");
	}

}
