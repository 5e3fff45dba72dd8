package io.parley.store.event;

import io.parley.events.Positions;

/**
 * The newest stored event of a room.
 *
 * @param number the number of messages in the room, deleted ones included
 * @param deletes the number of deleted messages
 * @param lastMention the position of the last message that mentioned somebody, whatever
 * became of it; 0 if there is none
 */
public record RoomHead(long position, long number, long deletes, long lastMention) {

	/** The head of a room without events. */
	public static final RoomHead NONE = new RoomHead(0, 0);

	/** Creates the head of a room without mentions. */
	public RoomHead(long position, long number, long deletes) {
		this(position, number, deletes, Positions.NONE);
	}

	/** Creates the head of a room without deleted messages and mentions. */
	public RoomHead(long position, long number) {
		this(position, number, 0);
	}

}
