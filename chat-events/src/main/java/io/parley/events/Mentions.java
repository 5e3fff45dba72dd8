package io.parley.events;

import java.nio.charset.StandardCharsets;
import java.util.List;

import tools.jackson.databind.JsonNode;

/**
 * The mentions of a message. Groups are resolved when the message is accepted, so readers
 * need only the users.
 *
 * @param users the names, those of the members of the groups included
 * @param groups the groups that the sender has named
 * @param room whether the whole room is mentioned
 */
public record Mentions(List<String> users, List<String> groups, boolean room) {

	/** The mentions of a message that mentions nobody, and whose text is not searched. */
	public static final Mentions NONE = new Mentions(List.of(), List.of(), false);

	public Mentions {
		users = List.copyOf(users);
		groups = List.copyOf(groups);
	}

	/** Creates the mentions of these users. */
	public static Mentions of(String... users) {
		return new Mentions(List.of(users), List.of(), false);
	}

	/** Returns whether nobody is mentioned. */
	public boolean isEmpty() {
		return !this.room && this.users.isEmpty();
	}

	/** Returns whether a member of the room is mentioned. */
	public boolean include(String user) {
		return this.room || this.users.contains(user);
	}

	/** Returns the mentions as JSON. */
	public String json() {
		return Json.text((json) -> {
			json.writePOJOProperty("users", this.users);
			if (!this.groups.isEmpty()) {
				json.writePOJOProperty("groups", this.groups);
			}
			if (this.room) {
				json.writeBooleanProperty("room", true);
			}
		});
	}

	/**
	 * Parses mentions from {@link #json}.
	 * @throws UnreadableEventException if it is not such JSON
	 */
	public static Mentions parse(String json) {
		return of(Json.parse(json.getBytes(StandardCharsets.UTF_8), "mentions"));
	}

	static Mentions of(JsonNode json) {
		return new Mentions(Json.strings(json.path("users"), "mentions"), Json.strings(json.path("groups"), "mentions"),
				json.path("room").asBoolean(false));
	}

}
