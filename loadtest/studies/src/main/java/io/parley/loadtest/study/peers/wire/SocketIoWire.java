package io.parley.loadtest.study.peers.wire;

/**
 * The protocol of Socket.IO 4 in that of Engine.IO 4. Each WebSocket message is one
 * packet: a digit for its type, and for type 4 a packet of Socket.IO. The server asks for
 * a sign of life by itself. It does not confirm messages.
 */
public final class SocketIoWire extends Wire {

	private static final String OPEN = "0{";

	private static final String PING = "2";

	private static final String PONG = "3";

	private static final String CONNECT = "40";

	private static final String EVENT = "42";

	/** The acknowledgement of the event with id 0. */
	private static final String JOINED = "430";

	private final String room;

	public SocketIoWire(Link link, String room) {
		super(link);
		this.room = room;
	}

	@Override
	public void opened() {
		// The server speaks first.
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes(EVENT + "[\"message\",\"" + text(text, 0, text.length) + "\"]");
	}

	@Override
	int take(byte[] bytes, int from, int to, boolean last) {
		if (!last) {
			return INCOMPLETE;
		}
		packet(bytes, from, to);
		return to;
	}

	private void packet(byte[] bytes, int from, int to) {
		if (startsWith(bytes, from, to, EVENT)) {
			deliver(bytes, from, to);
		}
		else if (startsWith(bytes, from, to, PING)) {
			link().send(bytes(PONG));
		}
		else if (startsWith(bytes, from, to, OPEN)) {
			link().send(bytes(CONNECT));
		}
		else if (startsWith(bytes, from, to, CONNECT)) {
			link().send(bytes(EVENT + "0[\"join\",\"" + this.room + "\"]"));
		}
		else if (startsWith(bytes, from, to, JOINED)) {
			link().subscribed();
		}
		else {
			link().failed(text(bytes, from, to));
		}
	}

}
