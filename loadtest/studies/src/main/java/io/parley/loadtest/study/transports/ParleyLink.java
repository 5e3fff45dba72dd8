package io.parley.loadtest.study.transports;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

import io.netty.buffer.ByteBuf;
import io.parley.loadtest.check.SubscriptionCheck;
import io.parley.loadtest.check.SubscriptionCheck.Verdict;
import io.parley.loadtest.stomp.EventBody;
import io.parley.loadtest.stomp.StompFrames;
import io.parley.loadtest.study.client.RoomChannel;
import io.parley.loadtest.study.client.RoomText;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.simp.stomp.StompHeaderAccessor;

/**
 * A client of Parley in one room. It is ready when it is subscribed, and requests a
 * receipt for each message. It checks itself that the events follow one another.
 */
final class ParleyLink extends RoomChannel implements Transport.Link {

	private final RoundClient client;

	private final SubscriptionCheck check = new SubscriptionCheck();

	private final AtomicInteger sent = new AtomicInteger();

	private final AtomicInteger confirmed = new AtomicInteger();

	private boolean started;

	private boolean subscribed;

	ParleyLink(String token, String room, RoundClient client) {
		super(token, room);
		this.client = client;
	}

	@Override
	public void send(int sequence) {
		this.sent.incrementAndGet();
		write(StompFrames.send(room(), this.client.number() + "-" + sequence,
				new String(this.client.message(sequence), StandardCharsets.US_ASCII)));
	}

	@Override
	public boolean isSettled() {
		return this.confirmed.get() == this.sent.get();
	}

	@Override
	public void tick(long now) {
		super.tick(now);
		if (isReady() && heartBeat().isMissed(now)) {
			fail("no heart-beat from the server");
		}
	}

	@Override
	protected boolean delivered(ByteBuf frame) {
		RoomText text = this.started ? RoomText.find(frame) : null;
		if (text != null) {
			follow(text.position(), text.prev());
			this.client.arrived(text.bytes(), text.from(), text.length());
		}
		return text != null;
	}

	@Override
	protected void connected() {
		write(StompFrames.subscribe(room(), null));
	}

	@Override
	protected void frame(StompHeaderAccessor headers, byte[] body) {
		switch (headers.getCommand()) {
			case MESSAGE -> message(headers, EventBody.read(body));
			case RECEIPT -> receipt(headers.getReceiptId());
			case null, default -> fail("unexpected frame " + headers.getCommand());
		}
		if (this.started && this.subscribed) {
			ready();
		}
	}

	private void message(StompHeaderAccessor headers, EventBody body) {
		String position = headers.getFirstNativeHeader("position");
		String prev = headers.getFirstNativeHeader("prev");
		if (position != null && prev != null) {
			follow(Long.parseLong(position), Long.parseLong(prev));
			if (body.text() != null) {
				this.client.arrived(body.text().getBytes(StandardCharsets.UTF_8));
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
	protected void leaving() {
		write(StompFrames.disconnect());
	}

	@Override
	protected void failed(String reason) {
		this.client.check().failed(reason);
	}

}
