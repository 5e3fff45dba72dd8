package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;

import io.parley.events.Destination;
import io.parley.server.history.PlacedEvent;
import io.parley.server.session.ChatSession;
import io.parley.server.session.StompFrames;

/**
 * A subscription to the events of a room, where replay and live delivery meet. While the
 * replay runs, live events are let go, because the replay reads them too. In its last
 * step they are kept, until what the history held by then is sent.
 *
 * <p>
 * A session that does not keep up gets no more live events until its outbox has space
 * again; then one {@code gap} event tells from where to where it must ask the history.
 */
final class RoomSubscription extends TopicSubscription {

	/** Far more than comes while the history is asked once. */
	private static final int MAX_JOINING = 1_000;

	private enum State {

		/** Live events are let go: the replay reads them too. */
		REPLAYING,

		/** Live events wait for the end of the replay. */
		JOINING,

		/** Live events pass. */
		LIVE

	}

	private final Destination.RoomTopic topic;

	private final GapFrames gaps;

	/** The newest position that was sent, or told in a gap. */
	private long cursor;

	/** The newest position that was left out, 0 for none. */
	private long leftOut;

	private State state = State.REPLAYING;

	/** What came while the last step of the replay was under way. */
	private List<LiveFrame> joining = List.of();

	RoomSubscription(ChatSession session, String id, Destination.RoomTopic topic, LiveDelivery live, GapFrames gaps) {
		super(session, id, topic, live);
		this.topic = topic;
		this.gaps = gaps;
	}

	/** Makes the frame that tells of a gap. */
	interface GapFrames {

		byte[] gap(String subscription, Destination.RoomTopic topic, long after, long head);

	}

	/** Begins after that position. */
	synchronized void startAfter(long position) {
		this.cursor = position;
	}

	/** Sends events of the history, for as long as the subscription is open. */
	synchronized void replay(List<PlacedEvent> events) {
		for (PlacedEvent event : events) {
			if (!ended() && event.position() > this.cursor) {
				session().send(StompFrames.event(id(), destination(), event.position(), event.prev(), event.json()));
				this.cursor = event.position();
			}
		}
	}

	synchronized long cursor() {
		return this.cursor;
	}

	/**
	 * Sends the last missing events and lets live ones through from then on.
	 * @param after the events of the history after a position; may wait, but not for the
	 * delivery of what the tail holds
	 */
	void goLive(LongFunction<List<PlacedEvent>> after) {
		synchronized (this) {
			this.state = State.JOINING;
		}
		replay(after.apply(cursor()));
		synchronized (this) {
			this.state = State.LIVE;
			this.joining.forEach(this::send);
			this.joining = List.of();
			tellGap();
		}
	}

	/** Each position passes once, and never backwards. Does not wait for the history. */
	@Override
	synchronized void deliver(LiveFrame event) {
		if (ended() || event.position() <= this.cursor) {
			return;
		}
		switch (this.state) {
			case REPLAYING -> {
			}
			case JOINING -> join(event);
			case LIVE -> send(event);
		}
	}

	private void join(LiveFrame event) {
		if (this.joining.size() < MAX_JOINING) {
			this.joining = (this.joining.isEmpty()) ? new ArrayList<>() : this.joining;
			this.joining.add(event);
		}
		else {
			this.leftOut = event.position();
		}
	}

	private void send(LiveFrame event) {
		if (event.position() <= this.cursor) {
			return;
		}
		if (this.leftOut == 0 && session().offer(event.to(id()))) {
			this.cursor = event.position();
		}
		else {
			this.leftOut = Math.max(this.leftOut, event.position());
		}
	}

	@Override
	public synchronized void spaceAgain() {
		if (this.state == State.LIVE) {
			tellGap();
		}
	}

	private void tellGap() {
		if (this.leftOut > 0 && !ended()) {
			session().send(this.gaps.gap(id(), this.topic, this.cursor, this.leftOut));
			this.cursor = this.leftOut;
			this.leftOut = 0;
		}
	}

}
