package io.parley.conformance.authorization;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.parley.server.testing.AuthorizationTable.Row;

/**
 * The situation in which a call is made.
 *
 * @param token the access token of the caller; empty for none
 * @param values what the names that begin with {@code $} stand for
 */
record Situation(String token, Map<String, String> values) {

	private static final Pattern NAME = Pattern.compile("\\$(\\w+)");

	private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");

	String value(String name) {
		String value = this.values.get(name);
		if (value == null) {
			throw new IllegalStateException("There is no value for $" + name);
		}
		return value;
	}

	/** Returns the path of what the room has about the caller, such as {@code mutes}. */
	String in(String collection) {
		return "/api/rooms/" + value("room") + "/" + collection + "/" + value("self");
	}

	/** Returns the path and query of a request, or the destination of a frame. */
	String target(Row row) {
		return VARIABLE.matcher(row.endpoint()).replaceAll((variable) -> {
			String name = variable.group(1);
			String item = name.equals("room") ? "$room" : row.item(name);
			if (item.isEmpty()) {
				throw new IllegalStateException(row + ": the column 'with' must have " + name + "=...");
			}
			return Matcher.quoteReplacement(resolve(item));
		}) + resolve(row.query());
	}

	String body(Row row) {
		return resolve(row.body());
	}

	private String resolve(String text) {
		return NAME.matcher(text).replaceAll((name) -> Matcher.quoteReplacement(value(name.group(1))));
	}

}
