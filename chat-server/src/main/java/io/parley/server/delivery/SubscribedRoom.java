package io.parley.server.delivery;

import java.util.List;

import io.parley.server.session.ChatSession;
import io.parley.server.timeline.PositionedEvent;

/** A room as seen by its {@link RoomSubscription}s. */
interface SubscribedRoom {

	/** Returns the frame that reports a gap. */
	byte[] gap(String subscription, long after, long head);

	/**
	 * Returns the events after a position: all that this server has read, and at least
	 * those up to {@code upTo}. May block, but not for the delivery of events that the
	 * tail holds.
	 */
	List<PositionedEvent> after(long position, long upTo);

	/** Called when an open subscription has ended. */
	void left(ChatSession session);

	/** Called when the history does not answer. The client must subscribe again. */
	void failed(ChatSession session, String subscription, RuntimeException cause);

}
