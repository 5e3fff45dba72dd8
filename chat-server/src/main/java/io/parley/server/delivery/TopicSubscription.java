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

	/** Returns the STOMP subscription id, which the client has chosen. */
	String id() {
		return this.id;
	}

	@Override
	public Destination destination() {
		return this.destination;
	}

	/**
	 * Sends a live frame. Drops it if the session has no space for it. Nothing is sent
	 * once {@link #end} has begun.
	 */
	synchronized void deliver(LiveFrame frame) {
		if (!this.ended) {
			this.session.offer(frame.encodedFor(this.id));
		}
	}

	/**
	 * Runs an action when everything delivered before is sent. The action must not block.
	 */
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
		// Also if it has ended before: it may have been opened in the meantime.
		this.live.close(this);
		if (first) {
			afterEnd();
		}
	}

	/** Called once, when the subscription has ended. */
	void afterEnd() {
	}

}
