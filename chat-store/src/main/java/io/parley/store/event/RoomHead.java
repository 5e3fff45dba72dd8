package io.parley.store.event;

/**
 * The newest stored event of a room.
 *
 * @param number how many messages the room has
 */
public record RoomHead(long position, long number) {

	/** Of a room without events. */
	public static final RoomHead NONE = new RoomHead(0, 0);

}
