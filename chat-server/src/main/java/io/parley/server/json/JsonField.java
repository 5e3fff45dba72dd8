package io.parley.server.json;

import org.jspecify.annotations.Nullable;

/**
 * The value of one field of a JSON object.
 *
 * @param raw the JSON of the value, exactly as the client sent it
 * @param string the value if it is a string, otherwise null
 */
public record JsonField(String raw, @Nullable String string) {

}
