package io.parley.events;

/**
 * Whether a message is pinned.
 *
 * @param changed the position of the last event that pinned it or ended the pin; 0 if
 * there is none, or the message is deleted
 */
public record PinState(long changed, boolean on) {

	/** The state of a message that was never pinned, or is deleted. */
	public static final PinState NONE = new PinState(Positions.NONE, false);

}
