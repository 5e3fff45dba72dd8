package io.parley.loadtest.study.peers.wire;

import java.util.concurrent.atomic.AtomicLong;

import io.parley.loadtest.stomp.StompFrames;

/**
 * STOMP as Parley speaks it. The server confirms each message after it is stored.
 */
public final class ParleyWire extends StompWire {

	private final String token;

	private final String room;

	private final String clientIds;

	private final AtomicLong sent = new AtomicLong();

	/**
	 * Creates the protocol of a session.
	 * @param room the id of the room
	 * @param clientIds starts the ids of the messages of this session
	 */
	public ParleyWire(Link link, String token, String room, String clientIds) {
		super(link);
		this.token = token;
		this.room = room;
		this.clientIds = clientIds;
	}

	@Override
	byte[] connect() {
		return StompFrames.connect("parley", this.token);
	}

	@Override
	byte[] subscribe() {
		return StompFrames.subscribe(this.room, null);
	}

	@Override
	public byte[] publish(byte[] text) {
		return StompFrames.send(this.room, this.clientIds + "-" + this.sent.incrementAndGet(),
				text(text, 0, text.length));
	}

	@Override
	public boolean confirms() {
		return true;
	}

}
