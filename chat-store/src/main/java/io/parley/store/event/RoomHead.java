package io.parley.store.event;

/**
 * The newest stored event of a room.
 *
 * @param number the number of messages in the room
 */
public record RoomHead(long position, long number) {

	/** The head of a room without events. */
	public static final RoomHead NONE = new RoomHead(0, 0);

}
