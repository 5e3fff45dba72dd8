package io.parley.server.delivery;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import io.parley.events.Destination;
import io.parley.server.session.ChatSession;
import io.parley.server.session.StompFrames;
import io.parley.server.timeline.PositionedEvent;
import org.jspecify.annotations.Nullable;

/**
 * A subscription to the events of a room, which combines replay and live delivery. While
 * the replay runs, live events are dropped, because the replay reads them too. In its
 * last step they are buffered until everything that the history held by then is sent. An
 * event whose predecessor is missing causes another read of the history.
 *
 * <p>
 * A session that falls behind gets no live events until its outbox has space again. Then
 * one {@code gap} event reports the range that its client must read from the history.
 */
final class RoomSubscription extends TopicSubscription {

	/** Far more than arrive during one read of the history. */
	private static final int MAX_BUFFERED = 1_000;

	private static final Runnable NO_OP = () -> {
	};

	private enum State {

		/** Live events are dropped: the replay reads them too. */
		REPLAYING,

		/** Live events are buffered until the end of the replay. */
		JOINING,

		/** Live events are sent. */
		LIVE

	}

	private final SubscribedRoom room;

	/** The newest position that was sent, or reported in a gap. */
	private long cursor;

	/**
	 * Whether the user has left the room with the last event. A broker can deliver later
	 * events before this server has read the leave and ends the subscription.
	 */
	private boolean left;

	/** The newest position that was skipped, or 0. */
	private long skippedUpTo;

	/** The RECEIPT of the SUBSCRIBE, until it is sent. */
	private byte @Nullable [] receipt;

	private State state = State.REPLAYING;

	/** Live events received during the last step of the replay. */
	private List<LiveFrame> buffer = new ArrayList<>(0);

	/** Runs after the last step of the replay. */
	private Runnable afterJoin = NO_OP;

	RoomSubscription(ChatSession session, String id, Destination.RoomTopic topic, LiveDelivery live,
			SubscribedRoom room) {
		super(session, id, topic, live);
		this.room = room;
	}

	/**
	 * Begins after a position.
	 * @param subscribed the first frame of the subscription
	 */
	synchronized void startAfter(long position, byte[] subscribed) {
		if (!ended()) {
			this.cursor = position;
			session().send(subscribed);
		}
	}

	/** Sets the RECEIPT that the client waits for, or null for none. */
	synchronized void setReceipt(byte @Nullable [] receipt) {
		this.receipt = receipt;
	}

	/** Sends the RECEIPT, once: the subscription is live, or has ended. */
	synchronized void sendReceipt() {
		byte[] frame = this.receipt;
		this.receipt = null;
		if (frame != null) {
			session().send(frame);
		}
	}

	/** Skips everything up to a position, and reports a gap to the client. */
	synchronized void skipTo(long position) {
		if (position > this.cursor) {
			this.skippedUpTo = Math.max(this.skippedUpTo, position);
			sendGap();
		}
	}

	/** Sends events of the history while the subscription is open. */
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

	/** Sends the last missing events, and live events from then on. */
	void goLive() {
		synchronized (this) {
			this.state = State.JOINING;
		}
		join();
	}

	private void join() {
		for (long missing = 0; missing >= 0; missing = tryGoLive()) {
			replay(this.room.after(cursor(), missing));
		}
		takeAfterJoin().run();
	}

	/**
	 * Starts to send live events, unless an event before the buffered ones is missing.
	 * @return the position that must come first, or -1
	 */
	private synchronized long tryGoLive() {
		long before = this.buffer.stream().mapToLong(LiveFrame::prev).max().orElse(0);
		if (before > this.cursor && !ended()) {
			return before;
		}
		this.state = State.LIVE;
		this.buffer.sort(Comparator.comparingLong(LiveFrame::position));
		this.buffer.forEach(this::send);
		this.buffer = new ArrayList<>(0);
		sendGap();
		return -1;
	}

	private synchronized Runnable takeAfterJoin() {
		Runnable taken = this.afterJoin;
		this.afterJoin = NO_OP;
		return taken;
	}

	/** Sends each position once, in ascending order. Does not wait for the history. */
	@Override
	synchronized void deliver(LiveFrame event) {
		if (ended() || this.left || event.position() <= this.cursor) {
			return;
		}
		switch (this.state) {
			case REPLAYING -> {
			}
			case JOINING -> addToBuffer(event);
			case LIVE -> deliverLive(event);
		}
	}

	/** Sends an event. If its predecessor is missing, reads the history first. */
	private void deliverLive(LiveFrame event) {
		if (event.prev() <= this.cursor || this.skippedUpTo > 0) {
			send(event);
			return;
		}
		this.state = State.JOINING;
		addToBuffer(event);
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
		setReceipt(null);
		this.room.failed(session(), id(), cause);
	}

	private void addToBuffer(LiveFrame event) {
		if (this.buffer.size() < MAX_BUFFERED) {
			this.buffer.add(event);
		}
		else {
			this.skippedUpTo = event.position();
		}
	}

	private void send(LiveFrame event) {
		if (this.left || event.position() <= this.cursor) {
			return;
		}
		this.left = event.isLastFor(session().user());
		if (event.isGap()) {
			skipTo(event.position());
		}
		else if (this.skippedUpTo == 0 && session().offer(event.encodedFor(id()))) {
			this.cursor = event.position();
		}
		else {
			this.skippedUpTo = Math.max(this.skippedUpTo, event.position());
		}
	}

	@Override
	void afterPending(Runnable action) {
		synchronized (this) {
			if (this.state == State.JOINING) {
				this.afterJoin = action;
				return;
			}
		}
		action.run();
	}

	@Override
	void afterEnd() {
		sendReceipt();
		this.room.left(session());
	}

	@Override
	public synchronized void spaceAvailable() {
		if (this.state == State.LIVE) {
			sendGap();
		}
	}

	private void sendGap() {
		if (this.skippedUpTo > 0 && !ended()) {
			session().send(this.room.gap(id(), this.cursor, this.skippedUpTo));
			this.cursor = this.skippedUpTo;
			this.skippedUpTo = 0;
		}
	}

}
