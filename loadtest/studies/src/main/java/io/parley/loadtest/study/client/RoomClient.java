package io.parley.loadtest.study.client;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.StompChannel;
import io.parley.loadtest.stomp.StompFrames;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A client in one room that sends any text and passes received messages on to a receiver.
 * The client itself checks that the events follow one another; the receiver checks their
 * content.
 */
public final class RoomClient extends StompChannel {

	/**
	 * Receives the messages of a client.
	 */
	public interface Receiver {

		/**
		 * Handles a message. Called on the event loop of the client. The bytes are valid
		 * during the call only.
		 * @param from index of the first byte of the text
		 * @param length number of bytes from there to the end of the frame, which may
		 * extend beyond these bytes
		 */
		void message(byte[] bytes, int from, int length);

		/**
		 * Called when the client has failed and can no longer be used.
		 */
		void failed(String reason);

	}

	private final RoomClients.Place place;

	private final Receiver receiver;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private final AtomicInteger sent = new AtomicInteger();

	private final AtomicInteger confirmed = new AtomicInteger();

	private volatile boolean started;

	private volatile boolean subscribed;

	private volatile boolean over;

	RoomClient(RoomClients.Place place, Receiver receiver) {
		this.place = place;
		this.receiver = receiver;
	}

	/**
	 * Returns whether the client is subscribed to its room.
	 */
	public boolean isLive() {
		return this.started && this.subscribed;
	}

	/**
	 * Returns whether the server has confirmed all messages that this client sent.
	 */
	public boolean isSettled() {
		return this.confirmed.get() == this.sent.get();
	}

	/**
	 * Sends a text without characters that JSON escapes. The client id must be new in the
	 * room.
	 */
	public void send(String clientId, String text) {
		this.sent.incrementAndGet();
		write(StompFrames.send(this.place.room(), clientId, text));
	}

	/**
	 * Disconnects without waiting for an answer.
	 */
	public void leave() {
		this.over = true;
		write(StompFrames.disconnect());
		close();
	}

	boolean isOver() {
		return this.over;
	}

	void tick(long now) {
		if (isLive() && heartBeat().isDue(now)) {
			write(StompFrames.HEART_BEAT);
		}
		if (isLive() && heartBeat().isMissed(now)) {
			fail("no heart-beat from the server");
		}
	}

	@Override
	protected boolean opened() {
		if (!this.over) {
			write(StompFrames.connect("parley", this.place.token()));
		}
		return !this.over;
	}

	@Override
	protected boolean delivered(ByteBuf frame) {
		RoomText text = this.started ? RoomText.find(frame) : null;
		if (text != null) {
			follow(text.position(), text.prev());
			this.receiver.message(text.bytes(), text.from(), text.length());
		}
		return text != null;
	}

	@Override
	protected void received(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case CONNECTED -> {
				heartBeat().agree(headers.getHeartbeat());
				write(StompFrames.subscribe(this.place.room(), null));
			}
			case MESSAGE -> message(headers, EventBody.read(body));
			case RECEIPT -> receipt(headers.getReceiptId());
			case ERROR -> fail("STOMP ERROR: " + headers.getMessage());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
	}

	private void message(StompHeaderAccessor headers, EventBody body) {
		String position = headers.getFirstNativeHeader("position");
		String prev = headers.getFirstNativeHeader("prev");
		if (position != null && prev != null) {
			follow(Long.parseLong(position), Long.parseLong(prev));
			if (body.text() != null) {
				byte[] text = body.text().getBytes(StandardCharsets.UTF_8);
				this.receiver.message(text, 0, text.length);
			}
		}
		else if (body.type().equals("subscribed")) {
			this.check.startAfter(body.head());
			this.started = true;
		}
		else {
			fail("event \"" + body.type() + "\"");
		}
	}

	private void follow(long position, long prev) {
		Verdict verdict = this.check.check(position, prev);
		if (verdict != Verdict.IN_ORDER) {
			fail("positions: " + verdict);
		}
	}

	private void receipt(@Nullable String id) {
		if (StompFrames.SUBSCRIBED.equals(id)) {
			this.subscribed = true;
		}
		else if (!StompFrames.DISCONNECTED.equals(id)) {
			this.confirmed.incrementAndGet();
		}
	}

	@Override
	protected void fail(String reason) {
		if (!this.over) {
			this.over = true;
			close();
			this.receiver.failed(reason);
		}
	}

	@Override
	protected void closed(int code) {
		fail("closed by the server with " + code);
	}

}
