package io.parley.store.room;

import java.util.Arrays;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The kinds of room. Their names are in lower case in the database and on the wire. */
public enum RoomKind {

	/** Two users; found by {@link Room#getDirectKey}. */
	DIRECT,

	/** Private: for users whom members have added, or who have an invite link. */
	GROUP,

	/** Open to every signed-in user who knows its id, unless it was opened as private. */
	CHANNEL;

	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the kind with that name.
	 * @throws IllegalArgumentException if there is none
	 */
	@JsonCreator
	public static RoomKind ofWireName(String wireName) {
		return Arrays.stream(values())
			.filter((kind) -> kind.wireName().equals(wireName))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no room kind '" + wireName + "': use direct, group or channel"));
	}

}
