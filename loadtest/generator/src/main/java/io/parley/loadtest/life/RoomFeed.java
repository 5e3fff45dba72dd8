package io.parley.loadtest.life;

import java.util.ArrayList;
import java.util.List;

import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.stomp.LoadMessage;
import org.jspecify.annotations.Nullable;

/**
 * The events of one room as one user receives them over all connections, like the feed of
 * the page: resumed after the last position, with the history where the server does not
 * replay. Every event is checked. Safe for use by many threads.
 */
final class RoomFeed {

	private static final long UNKNOWN = -1;

	private final RoomLedger ledger;

	private final LifeMeasures measures;

	private final SubscriptionCheck check = new SubscriptionCheck();

	/** Live events that arrived while the history was fetched. */
	private final List<Event> waiting = new ArrayList<>();

	private long position = UNKNOWN;

	/** The position that must be reached before the feed is live. */
	private long target;

	/**
	 * The position up to which the history was fetched. The same events may still be on
	 * their way.
	 */
	private long fetchedUpTo;

	private long read;

	/** The position of the newest message outside of threads; 0 before the first. */
	private long newestMessage;

	private int connection;

	private boolean subscribed;

	private boolean fetching;

	private boolean loaded;

	/**
	 * An event of the room.
	 *
	 * @param message the message of this run in it; null for any other event
	 * @param inThread whether the message is a reply in a thread
	 */
	record Event(long position, long prev, @Nullable LoadMessage message, boolean inThread) {

		/**
		 * Returns an event with this text, if it has one.
		 */
		static Event of(String type, long position, long prev, @Nullable String text, String run) {
			LoadMessage message = LoadMessage.parse(text);
			return new Event(position, prev, (message != null && message.run().equals(run)) ? message : null,
					type.equals("thread.posted"));
		}

	}

	/**
	 * Creates a feed.
	 * @param head the position to start after, from the list of rooms; null to start with
	 * the newest page
	 */
	RoomFeed(RoomLedger ledger, LifeMeasures measures, @Nullable Long head, long read) {
		this.ledger = ledger;
		this.measures = measures;
		this.read = read;
		if (head != null) {
			startAfter(head);
		}
	}

	private void startAfter(long head) {
		this.position = head;
		this.check.startAfter(head);
	}

	/**
	 * Called before the feed subscribes on a new connection.
	 * @return the position to resume after; null to start anew
	 */
	synchronized @Nullable Long resume() {
		this.connection++;
		this.subscribed = false;
		this.fetching = false;
		this.waiting.clear();
		return after();
	}

	synchronized @Nullable Long after() {
		return (this.position != UNKNOWN) ? this.position : null;
	}

	/**
	 * Returns the number of the connection, by which late answers are recognised.
	 */
	synchronized int connection() {
		return this.connection;
	}

	String room() {
		return this.ledger.id();
	}

	/**
	 * Handles the confirmation of a subscription.
	 * @return whether the history must be fetched
	 */
	synchronized boolean subscribed(long head, boolean recovered) {
		this.subscribed = true;
		this.target = head;
		if (this.position != UNKNOWN && !recovered) {
			this.measures.notRecovered.increment();
		}
		this.fetching = this.position == UNKNOWN || !recovered;
		return this.fetching;
	}

	/**
	 * Handles a gap event: events up to this position were left out.
	 * @return whether the history must be fetched, and is not being fetched already
	 */
	synchronized boolean gap(long head) {
		this.measures.serverGaps.increment();
		this.target = Math.max(this.target, head);
		boolean begins = !this.fetching;
		this.fetching = true;
		return begins;
	}

	/**
	 * Handles a live or replayed event.
	 */
	synchronized void event(Event event) {
		if (this.fetching) {
			this.waiting.add(event);
		}
		else if (event.position > this.fetchedUpTo) {
			deliver(event);
		}
	}

	/**
	 * Handles a page of the history after the last position.
	 * @return whether the feed has reached its target
	 */
	synchronized boolean filled(List<Event> page) {
		page.stream().filter((event) -> event.position > this.position).forEach(this::deliver);
		return this.position >= this.target;
	}

	/**
	 * Starts anew with the newest page. Older events are not expected.
	 * @param last the position of its last event; 0 for an empty page
	 */
	synchronized void restarted(long last) {
		startAfter(last);
		this.loaded = true;
	}

	/**
	 * Ends a fetch of the history: handles the events that arrived meanwhile.
	 * @param begunOn the connection on which the fetch began; nothing happens when the
	 * feed is on a later one
	 */
	synchronized void fetched(int begunOn) {
		if (this.connection != begunOn) {
			return;
		}
		this.fetching = false;
		this.fetchedUpTo = this.position;
		this.waiting.stream().filter((event) -> event.position > this.position).forEach(this::deliver);
		this.waiting.clear();
	}

	private void deliver(Event event) {
		Verdict verdict = this.check.check(event.position, event.prev);
		if (verdict != Verdict.IN_ORDER) {
			this.measures.all.verdict(verdict);
		}
		this.position = Math.max(this.position, event.position);
		boolean replayed = event.position <= this.target;
		if (replayed) {
			this.measures.replayed.increment();
		}
		LoadMessage message = event.message;
		if (message != null && !event.inThread) {
			this.newestMessage = Math.max(this.newestMessage, event.position);
		}
		if (message != null && !message.isCounted()) {
			return;
		}
		this.measures.all.delivered.increment();
		if (message != null && verdict != Verdict.DUPLICATE) {
			if (!replayed) {
				this.measures.all.reached(message.intended());
			}
			if (!this.ledger.seen(message.sequence(), event.position)) {
				this.measures.all.doubled.increment();
			}
		}
	}

	/**
	 * Returns whether the feed is subscribed and has all events up to its target.
	 */
	synchronized boolean isLive() {
		return this.subscribed && !this.fetching && this.position >= this.target;
	}

	/**
	 * Returns the position of the newest message of this run outside of threads; 0 before
	 * the first.
	 */
	synchronized long newestMessage() {
		return this.newestMessage;
	}

	/**
	 * Moves the read marker to the last event.
	 * @return the position; null when it was there before
	 */
	synchronized @Nullable Long readAll() {
		if (this.position <= this.read) {
			return null;
		}
		this.read = this.position;
		return this.read;
	}

	/**
	 * Returns whether the newest page must be loaded when the room is opened, and marks
	 * it as loaded.
	 */
	synchronized boolean load() {
		boolean first = !this.loaded;
		this.loaded = true;
		return first;
	}

	/**
	 * Returns the number of messages that others have received and this user has not.
	 */
	synchronized long missing() {
		return this.ledger.countAfter(this.position);
	}

}
