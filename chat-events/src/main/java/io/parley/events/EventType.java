package io.parley.events;

import org.jspecify.annotations.Nullable;

/**
 * The type of an event, with its code in the log and its name in JSON. The constants are
 * the types that this build knows. An event of a later build has its own type, which the
 * system handles by name. Codes and names are never reused.
 */
public record EventType(int code, String wireName) {

	public static final EventType ROOM_CREATED = new EventType(1, "room.created");

	public static final EventType MEMBER_JOINED = new EventType(2, "member.joined");

	public static final EventType MEMBER_LEFT = new EventType(3, "member.left");

	public static final EventType MESSAGE_POSTED = new EventType(4, "message.posted");

	public static final EventType MEMBER_ROLE = new EventType(5, "member.role");

	public static final EventType MESSAGE_EDITED = new EventType(6, "message.edited");

	public static final EventType MESSAGE_DELETED = new EventType(7, "message.deleted");

	public static final EventType REACTION_CHANGED = new EventType(8, "reaction.changed");

	public static final EventType THREAD_POSTED = new EventType(9, "thread.posted");

	public static final EventType PIN_CHANGED = new EventType(10, "pin.changed");

	public static final EventType ROOM_CHANGED = new EventType(11, "room.changed");

	/** The highest code of a type that format 1 has. */
	private static final int LAST_OF_FORMAT_1 = 4;

	/**
	 * An array, because every event that is read looks up its type. The index is the code
	 * minus 1.
	 */
	private static final EventType[] KNOWN = { ROOM_CREATED, MEMBER_JOINED, MEMBER_LEFT, MESSAGE_POSTED, MEMBER_ROLE,
			MESSAGE_EDITED, MESSAGE_DELETED, REACTION_CHANGED, THREAD_POSTED, PIN_CHANGED, ROOM_CHANGED };

	/** Returns whether this build knows the meaning of this type. */
	public boolean isKnown() {
		return equals(knownOf(this.code));
	}

	/**
	 * Returns whether this is a message, of the room or of a thread, which can trigger
	 * push notifications.
	 */
	public boolean isMessage() {
		return isRoomMessage() || isReply();
	}

	/** Returns whether this is a message of the room itself. */
	public boolean isRoomMessage() {
		return equals(MESSAGE_POSTED);
	}

	/** Returns whether this is a reply in a thread. */
	public boolean isReply() {
		return equals(THREAD_POSTED);
	}

	/** Returns whether events of this type change an earlier message. */
	public boolean changesMessage() {
		return changesContent() || equals(REACTION_CHANGED) || equals(PIN_CHANGED);
	}

	/** Returns whether events of this type change what an earlier message says. */
	public boolean changesContent() {
		return equals(MESSAGE_EDITED) || equals(MESSAGE_DELETED);
	}

	/** Returns whether events of this type change who is in the room. */
	public boolean changesMembers() {
		return equals(ROOM_CREATED) || equals(MEMBER_JOINED) || equals(MEMBER_LEFT);
	}

	/** Returns whether records of that format can have this type. */
	public boolean isIn(RecordFormat format) {
		return format != RecordFormat.V1 || (isKnown() && this.code <= LAST_OF_FORMAT_1);
	}

	/** Returns the default flags of records of this type. */
	public int flags() {
		if (isRoomMessage()) {
			return EventRecord.COUNTS;
		}
		if (isReply()) {
			return EventRecord.COUNTS_IN_THREAD;
		}
		return changesMessage() ? EventRecord.CHANGES : 0;
	}

	/** Returns the type with this JSON name, whether this build knows it or not. */
	public static EventType ofWireName(String wireName) {
		for (EventType type : KNOWN) {
			if (type.wireName.equals(wireName)) {
				return type;
			}
		}
		return new EventType(0, wireName);
	}

	/** Returns the type that this build knows by this code, or null. */
	static @Nullable EventType knownOf(int code) {
		return (code > 0 && code <= KNOWN.length) ? KNOWN[code - 1] : null;
	}

}
