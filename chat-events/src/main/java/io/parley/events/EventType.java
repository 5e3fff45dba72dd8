package io.parley.events;

import java.util.Arrays;

/**
 * The kinds of {@link RoomEvent}, each with its name in JSON and its code in the log.
 * Codes are never reused.
 */
public enum EventType {

	ROOM_CREATED("room.created", 1),

	MEMBER_JOINED("member.joined", 2),

	MEMBER_LEFT("member.left", 3),

	MESSAGE_POSTED("message.posted", 4);

	/** Each event that is read asks for its type. */
	private static final EventType[] ALL = values();

	private final String wireName;

	private final byte code;

	EventType(String wireName, int code) {
		this.wireName = wireName;
		this.code = (byte) code;
	}

	public String wireName() {
		return this.wireName;
	}

	byte code() {
		return this.code;
	}

	/** Whether events of this type get a number in their room and count as unread. */
	public boolean isMessage() {
		return this == MESSAGE_POSTED;
	}

	/**
	 * The type with that name in JSON.
	 * @throws UnreadableEventException when there is none
	 */
	public static EventType ofWireName(String wireName) {
		return Arrays.stream(ALL)
			.filter((type) -> type.wireName.equals(wireName))
			.findFirst()
			.orElseThrow(() -> new UnreadableEventException("Unknown event type '" + wireName + "'"));
	}

	static EventType ofCode(byte code) {
		for (EventType type : ALL) {
			if (type.code == code) {
				return type;
			}
		}
		throw new UnreadableEventException("Unknown event type code " + code);
	}

}
