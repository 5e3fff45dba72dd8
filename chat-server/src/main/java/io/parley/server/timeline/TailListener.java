package io.parley.server.timeline;

/**
 * Receives each event of the log once, in the order of its partition, soon after it was
 * confirmed. Called by one thread per partition, which it must not block.
 */
public interface TailListener {

	void onEvent(PositionedEvent event);

	/** Called instead of {@link #onEvent} for an event that this build cannot read. */
	default void onUnreadable(String room, long position) {
	}

}
