package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.parley.events.Destination;
import io.parley.server.timeline.PositionedEvent;
import io.parley.server.session.ChatSession;
import io.parley.server.session.StompFrames;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to the events of a room, where replay and live delivery meet. While the
 * replay runs, live events are let go, because the replay reads them too. In its last
 * step they are kept, until what the history held by then is sent. An event whose
 * predecessor has not come lets the history be asked again.
 *
 * <p>
 * A session that does not keep up gets no more live events until its outbox has space
 * again; then one {@code gap} event tells from where to where it must ask the history.
 */
final class RoomSubscription extends TopicSubscription {

	/** Far more than comes while the history is asked once. */
	private static final int MAX_JOINING = 1_000;

	private static final Runnable NOTHING = () -> {
	};

	private enum State {

		/** Live events are let go: the replay reads them too. */
		REPLAYING,

		/** Live events wait for the end of the replay. */
		JOINING,

		/** Live events pass. */
		LIVE

	}

	private final SubscribedRoom room;

	/** The newest position that was sent, or told in a gap. */
	private long cursor;

	/** The newest position that was left out, 0 for none. */
	private long leftOut;

	/** Of the SUBSCRIBE, for as long as it is not sent. */
	private byte @Nullable [] receipt;

	private State state = State.REPLAYING;

	/** What came while the last step of the replay was under way. */
	private List<LiveFrame> joining = new ArrayList<>(0);

	/** What is to be done after that. */
	private Runnable pending = NOTHING;

	RoomSubscription(ChatSession session, String id, Destination.RoomTopic topic, LiveDelivery live,
			SubscribedRoom room) {
		super(session, id, topic, live);
		this.room = room;
	}

	/**
	 * Begins after that position.
	 * @param subscribed the first frame of the subscription
	 */
	synchronized void startAfter(long position, byte[] subscribed) {
		if (!ended()) {
			this.cursor = position;
			session().send(subscribed);
		}
	}

	/** The RECEIPT that the client waits for, or null for none. */
	synchronized void confirmWith(byte @Nullable [] receipt) {
		this.receipt = receipt;
	}

	/** Sends the RECEIPT, once: the subscription is live, or has ended. */
	synchronized void confirm() {
		byte[] frame = this.receipt;
		this.receipt = null;
		if (frame != null) {
			session().send(frame);
		}
	}

	/** Leaves out what is missing up to a position, and tells the client so. */
	synchronized void skipTo(long position) {
		if (position > this.cursor) {
			this.leftOut = Math.max(this.leftOut, position);
			tellGap();
		}
	}

	/** Sends events of the history, for as long as the subscription is open. */
	synchronized void replay(List<PositionedEvent> events) {
		for (PositionedEvent event : events) {
			if (!ended() && event.position() > this.cursor) {
				session().send(StompFrames.event(id(), destination(), event.position(), event.prev(), event.json()));
				this.cursor = event.position();
			}
		}
	}

	synchronized long cursor() {
		return this.cursor;
	}

	/** Sends the last missing events and lets live ones through from then on. */
	void goLive() {
		synchronized (this) {
			this.state = State.JOINING;
		}
		join();
	}

	private void join() {
		for (long missing = 0; missing >= 0; missing = settle()) {
			replay(this.room.after(cursor(), missing));
		}
		takePending().run();
	}

	/**
	 * Lets live events through, when nothing is missing before those that were kept.
	 * @return the position that must come first, or -1
	 */
	private synchronized long settle() {
		long before = this.joining.stream().mapToLong(LiveFrame::prev).max().orElse(0);
		if (before > this.cursor && !ended()) {
			return before;
		}
		this.state = State.LIVE;
		this.joining.sort(Comparator.comparingLong(LiveFrame::position));
		this.joining.forEach(this::send);
		this.joining = new ArrayList<>(0);
		tellGap();
		return -1;
	}

	private synchronized Runnable takePending() {
		Runnable taken = this.pending;
		this.pending = NOTHING;
		return taken;
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
			case JOINING -> keep(event);
			case LIVE -> pass(event);
		}
	}

	/** An event after one that never came asks the history first. */
	private void pass(LiveFrame event) {
		if (event.prev() <= this.cursor || this.leftOut > 0) {
			send(event);
			return;
		}
		this.state = State.JOINING;
		keep(event);
		Thread.ofVirtual().name("fill-" + session().id()).start(this::fill);
	}

	private void fill() {
		try {
			join();
		}
		catch (RuntimeException ex) {
			failed(ex);
		}
	}

	/** Ends the session: its client must resume. */
	void failed(RuntimeException cause) {
		confirmWith(null);
		this.room.failed(session(), id(), cause);
	}

	private void keep(LiveFrame event) {
		if (this.joining.size() < MAX_JOINING) {
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
		if (event.isGap()) {
			skipTo(event.position());
		}
		else if (this.leftOut == 0 && session().offer(event.to(id()))) {
			this.cursor = event.position();
		}
		else {
			this.leftOut = Math.max(this.leftOut, event.position());
		}
	}

	@Override
	void afterPending(Runnable action) {
		synchronized (this) {
			if (this.state == State.JOINING) {
				this.pending = action;
				return;
			}
		}
		action.run();
	}

	@Override
	void afterEnd() {
		confirm();
		this.room.left(session());
	}

	@Override
	public synchronized void spaceAgain() {
		if (this.state == State.LIVE) {
			tellGap();
		}
	}

	private void tellGap() {
		if (this.leftOut > 0 && !ended()) {
			session().send(this.room.gap(id(), this.cursor, this.leftOut));
			this.cursor = this.leftOut;
			this.leftOut = 0;
		}
	}

}
