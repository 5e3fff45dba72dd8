package io.parley.store.event;

/**
 * The newest stored event of a room.
 *
 * @param number how many messages the room has
 */
public record Head(long position, long number) {

	/** Of a room without events. */
	public static final Head NONE = new Head(0, 0);

}
