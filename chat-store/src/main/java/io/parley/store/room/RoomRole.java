package io.parley.store.room;

import java.util.Arrays;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/**
 * The roles of the members of a group or channel, the lowest first. In a direct room both
 * users are members. The names are in lower case in the database and on the wire.
 */
public enum RoomRole {

	/** Reads only. */
	READER,

	/** Reads and writes. */
	MEMBER,

	/** Decides also about those below: who joins, writes and stays. */
	MODERATOR,

	/** Decides about everybody. A room with members has exactly one owner. */
	OWNER;

	/** Returns whether this role is higher than the other one. */
	public boolean isAbove(RoomRole other) {
		return compareTo(other) > 0;
	}

	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * Returns the role with that name.
	 * @throws IllegalArgumentException if there is none
	 */
	@JsonCreator
	public static RoomRole ofWireName(String wireName) {
		return Arrays.stream(values())
			.filter((role) -> role.wireName().equals(wireName))
			.findFirst()
			.orElseThrow(() -> new IllegalArgumentException(
					"There is no role '" + wireName + "': use owner, moderator, member or reader"));
	}

}
