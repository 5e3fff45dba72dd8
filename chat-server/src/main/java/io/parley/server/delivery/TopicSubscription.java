package io.parley.server.delivery;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import io.parley.server.session.SessionSubscription;

/**
 * A subscription to a topic of a room: its events or its signals. Safe for use by many
 * threads.
 */
class TopicSubscription implements SessionSubscription {

	private final ChatSession session;

	private final String id;

	private final Destination destination;

	private final LiveDelivery live;

	private volatile boolean ended;

	TopicSubscription(ChatSession session, String id, Destination destination, LiveDelivery live) {
		this.session = session;
		this.id = id;
		this.destination = destination;
		this.live = live;
	}

	ChatSession session() {
		return this.session;
	}

	/** The STOMP subscription id, chosen by the client. */
	String id() {
		return this.id;
	}

	@Override
	public Destination destination() {
		return this.destination;
	}

	/**
	 * Takes a live frame. One that a slow session has no space for is left out. Nothing
	 * passes once {@link #end} has begun.
	 */
	synchronized void deliver(LiveFrame frame) {
		if (!this.ended) {
			this.session.offer(frame.to(this.id));
		}
	}

	/** Runs something when all that was delivered before is sent. It may not wait. */
	void afterPending(Runnable action) {
		action.run();
	}

	boolean ended() {
		return this.ended;
	}

	@Override
	public void end() {
		boolean first;
		synchronized (this) {
			first = !this.ended;
			this.ended = true;
		}
		// Also when it has ended before: it may have been opened in the meantime.
		this.live.close(this);
		if (first) {
			afterEnd();
		}
	}

	/** Called once. */
	void afterEnd() {
	}

}
