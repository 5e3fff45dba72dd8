package io.parley.events;

import org.jspecify.annotations.Nullable;

/**
 * The kind of an event, with its code in the log and its name in JSON. This build knows
 * the constants; an event of a later build has a type of its own, which goes through the
 * system by its name. Codes and names are never reused.
 */
public record EventType(int code, String wireName) {

	public static final EventType ROOM_CREATED = new EventType(1, "room.created");

	public static final EventType MEMBER_JOINED = new EventType(2, "member.joined");

	public static final EventType MEMBER_LEFT = new EventType(3, "member.left");

	public static final EventType MESSAGE_POSTED = new EventType(4, "message.posted");

	/** Each event that is read asks for its type. The place is the code, less 1. */
	private static final EventType[] KNOWN = { ROOM_CREATED, MEMBER_JOINED, MEMBER_LEFT, MESSAGE_POSTED };

	/** Whether this build knows what such an event means. */
	public boolean isKnown() {
		return equals(knownOf(this.code));
	}

	/** Whether it is a message, of which people are told by push. */
	public boolean isMessage() {
		return equals(MESSAGE_POSTED);
	}

	/** Whether it tells who is in the room. */
	public boolean changesMembers() {
		return isKnown() && !isMessage();
	}

	/** What a record of this type says of itself, unless it has flags of its own. */
	int flags() {
		return isMessage() ? EventRecord.COUNTS : 0;
	}

	/** The type with that name in JSON, which need not be known. */
	public static EventType ofWireName(String wireName) {
		for (EventType type : KNOWN) {
			if (type.wireName.equals(wireName)) {
				return type;
			}
		}
		return new EventType(0, wireName);
	}

	/** The type that this build knows by that code, or null. */
	static @Nullable EventType knownOf(int code) {
		return (code > 0 && code <= KNOWN.length) ? KNOWN[code - 1] : null;
	}

}
