package io.parley.loadtest.session;

import java.time.Duration;
import java.util.Locale;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.RoomLedger;
import io.parley.loadtest.cli.Interrupt;
import io.parley.loadtest.measure.Measures;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.user.Account;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * One client: connects, subscribes to its room, sends heart-beats, checks the deliveries,
 * and leaves. {@link #send}, {@link #leave}, {@link #tick} and {@link #fail} may be
 * called from any thread.
 */
public final class Session extends StompChannel implements Sender {

	public static final Duration LIVE_TIMEOUT = Duration.ofSeconds(30);

	/**
	 * The phases of a session, in order.
	 */
	public enum Phase {

		OPENING, CONNECTING, SUBSCRIBING, LIVE, LEAVING, CLOSED

	}

	private final Account account;

	private final long intended;

	private final Dialect dialect;

	private final Measures measures;

	private final Subscription subscription;

	private final SessionListener listener;

	private final Duration liveTimeout;

	private volatile Phase phase = Phase.OPENING;

	private int timesTurnedAway;

	/**
	 * Creates a session.
	 * @param intended the time at which it should be opened, as {@link System#nanoTime()}
	 * @param liveTimeout the time limit for becoming live; the session fails when it
	 * takes longer
	 */
	public Session(Account account, Dialect dialect, long intended, Measures measures, SessionListener listener,
			Duration liveTimeout) {
		this.listener = listener;
		this.liveTimeout = liveTimeout;
		this.account = account;
		this.dialect = dialect;
		this.intended = intended;
		this.measures = measures;
		this.subscription = dialect.subscription(account.room());
	}

	public Phase phase() {
		return this.phase;
	}

	public RoomLedger room() {
		return this.account.room();
	}

	/**
	 * Returns the number of messages of its room that have not arrived; 0 for a session
	 * that is not live.
	 */
	long missing() {
		return (this.phase == Phase.LIVE) ? this.subscription.missing() : 0;
	}

	@Override
	public void send(LoadMessage message) {
		if (message.isCounted()) {
			this.measures.sent.increment();
			if (!this.dialect.confirms()) {
				room().expect(message.sequence());
			}
		}
		write(this.dialect.send(room(), message));
	}

	/**
	 * Gives a reaction to a message of the room, or takes it back, without waiting for
	 * the server.
	 */
	public void react(long target, String key, boolean on) {
		write(StompFrames.react(room().id(), target, key, on));
	}

	/**
	 * Sends a DISCONNECT. The session is closed when the server has confirmed it.
	 */
	public void leave() {
		if (advance(Phase.LIVE, Phase.LEAVING)) {
			write(StompFrames.disconnect());
		}
	}

	/**
	 * Sends due heart-beats, counts missed ones, and fails the session at its time limit.
	 * Must be called about once a second.
	 */
	public void tick(long now) {
		if (this.phase == Phase.LIVE) {
			if (heartBeat().isDue(now)) {
				write(StompFrames.HEART_BEAT);
			}
			if (heartBeat().isMissed(now)) {
				this.measures.heartBeatMisses.increment();
			}
		}
		else if (this.phase.compareTo(Phase.LIVE) < 0 && now - this.intended > this.liveTimeout.toNanos()) {
			fail("not subscribed after %d s, still %s".formatted(this.liveTimeout.toSeconds(), name()));
		}
	}

	@Override
	protected void turnedAway(int retryAfterSeconds) {
		if (this.phase == Phase.OPENING && this.listener.turnedAway(this, this.timesTurnedAway++)) {
			this.measures.turnedAway.increment();
		}
		else {
			super.turnedAway(retryAfterSeconds);
		}
	}

	@Override
	public void fail(String error) {
		end(() -> this.measures.error(error));
	}

	@Override
	protected boolean opened() {
		boolean wanted = advance(Phase.OPENING, Phase.CONNECTING);
		if (wanted) {
			write(this.dialect.connect(this.account));
		}
		return wanted;
	}

	@Override
	protected boolean delivered(ByteBuf frame) {
		return this.subscription.tryReceive(frame);
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case CONNECTED -> connected(headers);
			case MESSAGE -> {
				this.subscription.received(headers, body);
				becomeLive();
			}
			case RECEIPT -> confirmed(headers.getReceiptId());
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
	}

	@Override
	protected void closed(int code) {
		if (this.phase == Phase.LIVE && !Interrupt.requested()) {
			this.measures.unexpectedCloses.increment();
		}
		if (this.phase == Phase.LEAVING && !this.dialect.confirms()) {
			end(() -> {
			});
		}
		fail("closed by the server with " + code + " while " + name());
	}

	private void connected(StompHeaderAccessor headers) {
		if (advance(Phase.CONNECTING, Phase.SUBSCRIBING)) {
			Measures.since(this.intended, this.measures.connecting);
			heartBeat().agree(headers.getHeartbeat());
			write(this.dialect.subscribe(room()));
		}
	}

	private void confirmed(@Nullable String receipt) {
		if (StompFrames.SUBSCRIBED.equals(receipt)) {
			this.subscription.confirmed();
			becomeLive();
		}
		else if (StompFrames.DISCONNECTED.equals(receipt)) {
			end(() -> Measures.since(this.intended, this.measures.whole));
		}
		else if (LoadMessage.parse(receipt) instanceof LoadMessage message) {
			if (!message.isCounted()) {
				return;
			}
			Measures.since(message.intended(), this.measures.accepting);
			this.measures.accepted.increment();
			room().expect(message.sequence());
		}
		else {
			this.measures.error("unknown receipt");
		}
	}

	private void becomeLive() {
		if (this.subscription.isComplete() && countLive()) {
			this.listener.live(this);
		}
	}

	/**
	 * Counts first: whoever sees that all sessions are live reads the complete counters.
	 */
	private synchronized boolean countLive() {
		if (this.phase != Phase.SUBSCRIBING) {
			return false;
		}
		Measures.since(this.intended, this.measures.subscribing);
		this.measures.established.increment();
		this.measures.live.increment();
		this.phase = Phase.LIVE;
		return true;
	}

	/**
	 * Moves on to the next phase.
	 * @return false when the session is no longer in the expected phase
	 */
	private synchronized boolean advance(Phase from, Phase to) {
		boolean possible = this.phase == from;
		if (possible) {
			this.phase = to;
		}
		return possible;
	}

	/**
	 * Closes the connection, unless the session has ended before.
	 * @param count records the outcome, before the listener is notified
	 */
	private void end(Runnable count) {
		Phase before = enter(Phase.CLOSED);
		if (before == Phase.CLOSED) {
			return;
		}
		if (before == Phase.LIVE || before == Phase.LEAVING) {
			this.measures.live.decrement();
		}
		count.run();
		close();
		this.listener.ended(this);
	}

	private synchronized Phase enter(Phase next) {
		Phase before = this.phase;
		this.phase = next;
		return before;
	}

	private String name() {
		return this.phase.name().toLowerCase(Locale.ROOT);
	}

}
