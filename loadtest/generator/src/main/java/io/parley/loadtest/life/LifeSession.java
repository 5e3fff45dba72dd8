package io.parley.loadtest.life;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * One connection of a {@link LifeUser}, with two subscriptions for each room. Safe for
 * use by many threads.
 */
final class LifeSession extends StompChannel {

	private static final long START_TIMEOUT = TimeUnit.SECONDS.toNanos(60);

	/** The destination of the events of a room, before its id. */
	static final String TOPIC = "/topic/rooms.";

	/** The suffix of the destination of its signals. */
	static final String SIGNALS_TOPIC = ".signals";

	/** How a connection ends when its server stops. */
	static final String GOING_AWAY = "closed with 1001";

	private static final String EVENTS = "e-";

	private static final String SIGNALS = "s-";

	private final LifeUser user;

	private final LifeMeasures measures;

	private final String token;

	private final long begun = System.nanoTime();

	private volatile boolean connected;

	private volatile boolean leaving;

	private volatile boolean over;

	LifeSession(LifeUser user, LifeMeasures measures, String token) {
		this.user = user;
		this.measures = measures;
		this.token = token;
	}

	/**
	 * Returns whether the server has accepted the connection, which may have ended since.
	 */
	boolean wasConnected() {
		return this.connected;
	}

	boolean isConnected() {
		return this.connected && !this.over;
	}

	void send(byte[] frame) {
		if (isConnected()) {
			write(frame);
		}
	}

	/**
	 * Sends a message.
	 * @param thread the position of the message to reply to in its thread; 0 for none
	 */
	void send(String room, long thread, LoadMessage message) {
		send((thread > 0) ? StompFrames.reply(room, thread, message) : StompFrames.send(room, message));
	}

	/**
	 * Allows frames from now on. Called when the subscriptions of this connection begin.
	 */
	void begin() {
		this.connected = true;
	}

	/**
	 * Subscribes to the events of a room, and to its signals.
	 */
	void follow(String room, @Nullable Long after) {
		followEvents(room, after);
		followSignals(room);
	}

	void followEvents(String room, @Nullable Long after) {
		send(StompFrames.subscribe(EVENTS + room, TOPIC + room, after));
	}

	void followSignals(String room) {
		send(StompFrames.subscribe(SIGNALS + room, TOPIC + room + SIGNALS_TOPIC, null));
	}

	void unfollow(String room) {
		send(StompFrames.unsubscribe(EVENTS + room));
		send(StompFrames.unsubscribe(SIGNALS + room));
	}

	/**
	 * Sends due heart-beats, and fails the session when the server is silent. Must be
	 * called often.
	 */
	void tick(long now) {
		if (this.connected && heartBeat().isDue(now)) {
			send(StompFrames.HEART_BEAT);
		}
		if (this.connected && heartBeat().isMissed(now)) {
			this.measures.all.heartBeatMisses.increment();
		}
		if (!this.connected && now - this.begun > START_TIMEOUT) {
			fail("not connected after 60 s");
		}
	}

	/**
	 * Cuts the connection without notifying the server.
	 */
	void drop() {
		this.over = true;
		cut();
	}

	/**
	 * Sends a DISCONNECT, after which the server closes the connection.
	 */
	void leave() {
		this.leaving = true;
		send(StompFrames.disconnect());
	}

	@Override
	protected boolean opened() {
		if (!this.over) {
			write(StompFrames.connect("parley", this.token));
		}
		return !this.over;
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] body) {
		if (this.over) {
			return;
		}
		switch (headers.getCommand()) {
			case CONNECTED -> {
				heartBeat().agree(headers.getHeartbeat());
				write(StompFrames.subscribeToOwnEvents());
				this.user.connected(this);
			}
			case MESSAGE -> message(headers, body);
			case RECEIPT -> {
				if (LoadMessage.parse(headers.getReceiptId()) instanceof LoadMessage message) {
					this.user.outbox().confirmed(message);
				}
			}
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
	}

	private void message(StompHeaderAccessor headers, byte[] body) {
		String subscription = Objects.requireNonNullElse(headers.getSubscriptionId(), "");
		if (subscription.startsWith(SIGNALS)) {
			this.measures.signals.increment();
		}
		else if (subscription.equals(StompFrames.OWN_EVENTS)) {
			this.user.ownEvent(EventBody.read(body));
		}
		else {
			this.user.rooms()
				.received(subscription.substring(EVENTS.length()), number(headers, "position"), number(headers, "prev"),
						EventBody.read(body));
		}
	}

	private static long number(StompHeaderAccessor headers, String name) {
		String value = headers.getFirstNativeHeader(name);
		return (value != null) ? Long.parseLong(value) : 0;
	}

	@Override
	protected void turnedAway(int retryAfterSeconds) {
		this.measures.all.turnedAway.increment();
		end(null);
	}

	@Override
	protected void fail(String reason) {
		end(reason);
	}

	@Override
	protected void closed(int code) {
		end(this.leaving ? null : "closed with " + code);
	}

	private void end(@Nullable String reason) {
		if (!this.over) {
			this.over = true;
			close();
			this.user.ended(this, reason);
		}
	}

}
