package io.parley.server.delivery;

import java.util.List;

import io.parley.server.timeline.PositionedEvent;
import io.parley.server.session.ChatSession;

/** A room, as its {@link RoomSubscription}s see it. */
interface SubscribedRoom {

	/** The frame that tells of a gap. */
	byte[] gap(String subscription, long after, long head);

	/**
	 * The events after a position, as far as this server has read, and at least up to
	 * another. May wait, but not for the delivery of what the tail holds.
	 */
	List<PositionedEvent> after(long position, long upTo);

	/** A subscription that was open has ended. */
	void left(ChatSession session);

	/** The history does not answer: the client must come again. */
	void failed(ChatSession session, String subscription, RuntimeException cause);

}
