package io.parley.conformance.authorization;

import java.util.HashMap;
import java.util.Map;

import io.parley.server.testing.ChatApi;

/**
 * A user who calls.
 *
 * @param home the API with a token that was valid before the user got into a state
 * @param token the access token of the calls
 * @param values what the names that concern the user stand for
 * @param room the room of a user who cannot open one any more, or no values
 */
record Person(String name, ChatApi home, String token, Map<String, String> values, Map<String, String> room) {

	/** Returns what a call of this user meets. */
	Situation in(Map<String, String> room) {
		Map<String, String> all = new HashMap<>(this.values);
		all.putAll(room);
		return new Situation(this.token, all);
	}

}
