package io.parley.loadtest.stomp;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonFactory;

/**
 * The fields of an event's JSON that a run checks, read without building a tree.
 */
public record EventBody(String type, @Nullable String text, long head, boolean recovered, String code,
		@Nullable String receipt, String room, String destination, long position, String clientId) {

	private static final JsonFactory JSON = new JsonFactory();

	/**
	 * Reads an event.
	 * @throws tools.jackson.core.JacksonException when it is not JSON
	 */
	public static EventBody read(byte[] json) {
		String type = "";
		String text = null;
		long head = 0;
		boolean recovered = false;
		String code = "";
		String receipt = null;
		String room = "";
		String destination = "";
		long position = 0;
		String clientId = "";
		try (JsonParser parser = JSON.createParser(json)) {
			parser.nextToken();
			while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
				String name = parser.currentName();
				parser.nextToken();
				switch (name) {
					case "type" -> type = parser.getString();
					case "text" -> text = parser.getString();
					case "head" -> head = parser.getLongValue();
					case "recovered" -> recovered = parser.getBooleanValue();
					case "code" -> code = parser.getString();
					case "receipt" -> receipt = parser.getString();
					case "room" -> room = parser.getString();
					case "destination" -> destination = parser.getString();
					case "position" -> position = parser.getLongValue();
					case "clientId" -> clientId = parser.getString();
					default -> parser.skipChildren();
				}
			}
		}
		return new EventBody(type, text, head, recovered, code, receipt, room, destination, position, clientId);
	}

}
