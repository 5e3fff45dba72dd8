package io.parley.server.timeline;

/**
 * Hears each event of the log once, in the order of its partition, soon after it was
 * confirmed. Called by one thread for each partition, which it must not block.
 */
public interface TailListener {

	void onEvent(PositionedEvent event);

	/** In place of an event that this build cannot read. */
	default void onUnreadable(String room, long position) {
	}

}
