package io.parley.store.event;

/**
 * The newest stored event of a room.
 *
 * @param number the number of messages in the room, deleted ones included
 * @param deletes the number of deleted messages
 */
public record RoomHead(long position, long number, long deletes) {

	/** The head of a room without events. */
	public static final RoomHead NONE = new RoomHead(0, 0);

	/** Creates the head of a room without deleted messages. */
	public RoomHead(long position, long number) {
		this(position, number, 0);
	}

}
