package io.parley.loadtest.ledger;

import java.util.concurrent.TimeUnit;

import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.LoadMessage;
import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/** One connection of a {@link LedgerClient}. */
final class LedgerSession extends StompChannel {

	private static final long START_TIMEOUT = TimeUnit.SECONDS.toNanos(20);

	private final LedgerClient client;

	private final long begun = System.nanoTime();

	private volatile boolean live;

	private volatile boolean over;

	LedgerSession(LedgerClient client) {
		this.client = client;
	}

	/**
	 * Returns whether the session is subscribed, so that messages may be sent.
	 */
	boolean isLive() {
		return this.live && !this.over;
	}

	void send(LoadMessage message) {
		write(StompFrames.send(this.client.room(), message));
	}

	/**
	 * Sends due heart-beats and fails the session when the server is silent. Must be
	 * called often.
	 */
	void tick(long now) {
		if (this.live && heartBeat().isDue(now)) {
			write(StompFrames.HEART_BEAT);
		}
		if (this.live && heartBeat().isMissed(now)) {
			fail("no heart-beat from the server");
		}
		if (!this.live && now - this.begun > START_TIMEOUT) {
			fail("not subscribed after 20 s");
		}
	}

	@Override
	protected boolean opened() {
		if (!this.over) {
			write(StompFrames.connect("parley", this.client.token()));
		}
		return !this.over;
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case CONNECTED -> connected(headers);
			case MESSAGE -> message(headers, EventBody.read(body));
			case RECEIPT -> receipt(headers.getReceiptId());
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
	}

	private void connected(StompHeaderAccessor headers) {
		heartBeat().agree(headers.getHeartbeat());
		write(StompFrames.subscribeToOwnEvents());
		write(StompFrames.subscribe(this.client.room(), this.client.follower().resumeAfter()));
	}

	private void message(StompHeaderAccessor headers, EventBody body) {
		if (StompFrames.OWN_EVENTS.equals(headers.getSubscriptionId())) {
			if (body.type().equals("error")) {
				rejected(body);
			}
		}
		else if (body.type().equals("subscribed")) {
			this.client.follower().subscribed(body);
		}
		else {
			this.client.event(headers, body);
		}
	}

	/**
	 * Cuts the connection without notifying the server.
	 */
	void drop() {
		this.over = true;
		cut();
	}

	private void rejected(EventBody body) {
		if (LoadMessage.parse(body.receipt()) instanceof LoadMessage message) {
			this.client.rejected(message, body.code());
		}
		else {
			fail("refused with " + body.code());
		}
	}

	private void receipt(@Nullable String id) {
		if (StompFrames.SUBSCRIBED.equals(id)) {
			this.live = true;
			this.client.live();
		}
		else if (LoadMessage.parse(id) instanceof LoadMessage message) {
			this.client.confirmed(message);
		}
	}

	@Override
	protected void fail(String reason) {
		if (!this.over) {
			this.over = true;
			close();
			this.client.ended(this, reason);
		}
	}

	@Override
	protected void closed(int code) {
		fail("closed with " + code);
	}

}
