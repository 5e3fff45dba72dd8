package io.parley.server.json;

import org.jspecify.annotations.Nullable;

/**
 * The value of one field of a JSON object.
 *
 * @param raw the JSON of the value, exactly as the client sent it
 * @param string the value if it is a string, otherwise null
 */
public record JsonField(String raw, @Nullable String string) {

	/** Returns the value if it is true or false, otherwise null. */
	public @Nullable Boolean bool() {
		return switch (this.raw) {
			case "true" -> true;
			case "false" -> false;
			default -> null;
		};
	}

}
