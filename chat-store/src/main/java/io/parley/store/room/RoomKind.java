package io.parley.store.room;

import java.util.Arrays;
import java.util.Locale;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** The kinds of room, stored and spoken in lower case. */
public enum RoomKind {

	/** Two people, found again by {@link Room#getDirectKey}. */
	DIRECT,

	/** For those who know its id, which cannot be guessed, or were brought in. */
	GROUP,

	/** The same, meant for many. */
	CHANNEL;

	@JsonValue
	public String wireName() {
		return name().toLowerCase(Locale.ROOT);
	}

	/**
	 * The kind with that name.
	 * @throws IllegalArgumentException when there is none
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
