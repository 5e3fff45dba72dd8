package io.parley.loadtest.ledger;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.session.Sender;
import io.parley.loadtest.stomp.Connector;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A user who sends to a room and follows it as the protocol requires: reconnects with
 * jitter when the connection is lost, resumes after the last position, and resends
 * unconfirmed messages. Safe for use by many threads.
 */
public final class LedgerClient implements Sender {

	private static final long FIRST_DELAY = TimeUnit.SECONDS.toNanos(1);

	/**
	 * Less than the 30 s of the protocol, so that the run notices quickly that the server
	 * is available again.
	 */
	private static final long LONGEST_DELAY = TimeUnit.SECONDS.toNanos(4);

	private final Account account;

	private final Connector connector;

	private final Measures measures;

	private final Outbox outbox;

	private final Follower follower;

	private @Nullable LedgerSession session;

	private long connectAt = System.nanoTime();

	private int failures;

	/**
	 * The time at which the connection was lost; 0 when all missed events have arrived.
	 */
	private long lostAt;

	private long openedAt;

	private boolean wasLive;

	private boolean leaving;

	public LedgerClient(Account account, String run, Connector connector, SendLedger ledger, Measures measures) {
		this.account = account;
		this.connector = connector;
		this.measures = measures;
		this.outbox = new Outbox(account.room().id(), ledger);
		this.follower = new Follower(run);
	}

	String room() {
		return this.account.room().id();
	}

	String token() {
		return this.account.token();
	}

	Follower follower() {
		return this.follower;
	}

	public synchronized boolean isLive() {
		return this.session != null && this.session.isLive();
	}

	/**
	 * Returns whether all messages given to this client are confirmed.
	 */
	synchronized boolean isDone() {
		return this.outbox.isEmpty();
	}

	@Override
	public synchronized void send(LoadMessage message) {
		this.measures.sent.increment();
		this.outbox.add(message);
		flush(System.nanoTime());
	}

	/**
	 * Connects when it is time, sends heart-beats, and sends messages that are due. Must
	 * be called often.
	 */
	public synchronized void tick(long now) {
		LedgerSession current = this.session;
		if (current != null) {
			current.tick(now);
			this.outbox.expire(now);
			flush(now);
		}
		else if (!this.leaving && now - this.connectAt >= 0) {
			LedgerSession next = new LedgerSession(this);
			this.session = next;
			this.openedAt = now;
			this.connector.open(next);
		}
	}

	public synchronized void leave() {
		this.leaving = true;
		if (this.session != null) {
			this.session.fail("left");
		}
	}

	/**
	 * Closes the connection without a DISCONNECT. The client reconnects by itself.
	 */
	synchronized void cut() {
		LedgerSession current = this.session;
		if (current != null && current.isLive()) {
			this.measures.cut.increment();
			current.drop();
			scheduleReconnect();
		}
	}

	public synchronized void live() {
		this.failures = 0;
		this.measures.established.increment();
		this.measures.live.increment();
		this.wasLive = true;
		recordIfCaughtUp();
		flush(System.nanoTime());
	}

	synchronized void event(StompHeaderAccessor headers, EventBody body) {
		LoadMessage message = this.follower.event(headers, body);
		this.measures.delivered.increment();
		if (message != null) {
			this.measures.reached(message.intended());
		}
		recordIfCaughtUp();
	}

	private void recordIfCaughtUp() {
		if (this.lostAt != 0 && isLive() && this.follower.isCaughtUp()) {
			Measures.since(this.lostAt, this.measures.resuming);
			Measures.since(this.openedAt, this.measures.catchingUp);
			this.lostAt = 0;
		}
	}

	synchronized void confirmed(LoadMessage message) {
		Measures.since(message.intended(), this.measures.accepting);
		this.outbox.confirmed(message.sequence());
		flush(System.nanoTime());
	}

	synchronized void rejected(LoadMessage message, String code) {
		this.measures.error("SEND refused with " + code);
		this.outbox.rejected(message.sequence(), code, System.nanoTime());
	}

	synchronized void ended(LedgerSession ended, String reason) {
		if (this.session != ended || this.leaving) {
			return;
		}
		this.measures.error(reason);
		scheduleReconnect();
	}

	private void scheduleReconnect() {
		this.session = null;
		if (this.wasLive) {
			this.wasLive = false;
			this.measures.live.decrement();
			this.lostAt = (this.lostAt != 0) ? this.lostAt : System.nanoTime();
		}
		this.outbox.connectionLost();
		long longest = Math.min(LONGEST_DELAY, FIRST_DELAY << Math.min(this.failures++, 10));
		this.connectAt = System.nanoTime() + ThreadLocalRandom.current().nextLong(longest);
	}

	private void flush(long now) {
		LedgerSession current = this.session;
		if (current == null || !current.isLive()) {
			return;
		}
		for (LoadMessage next = this.outbox.next(now); next != null; next = this.outbox.next(now)) {
			current.send(next);
		}
	}

}
