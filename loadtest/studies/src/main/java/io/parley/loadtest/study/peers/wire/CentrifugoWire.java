package io.parley.loadtest.study.peers.wire;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The JSON protocol of Centrifugo: JSON objects, separated by newlines within a WebSocket
 * message. The server confirms each publication.
 */
public final class CentrifugoWire extends Wire {

	private static final long CONNECT = 1;

	private static final long SUBSCRIBE = 2;

	private final String channel;

	private final AtomicLong ids = new AtomicLong(SUBSCRIBE);

	public CentrifugoWire(Link link, String channel) {
		super(link);
		this.channel = channel;
	}

	@Override
	public void opened() {
		link().send(bytes("{\"id\":%d,\"connect\":{}}".formatted(CONNECT)));
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes("{\"id\":" + this.ids.incrementAndGet() + ",\"publish\":{\"channel\":\"" + this.channel
				+ "\",\"data\":\"" + text(text, 0, text.length) + "\"}}");
	}

	@Override
	public boolean confirms() {
		return true;
	}

	@Override
	int take(byte[] bytes, int from, int to, boolean last) {
		int end = from;
		while (end < to && bytes[end] != '\n') {
			end++;
		}
		if (end == to && !last) {
			return INCOMPLETE;
		}
		object(bytes, from, end);
		return Math.min(end + 1, to);
	}

	private void object(byte[] bytes, int from, int end) {
		if (startsWith(bytes, from, end, "{\"push\":")) {
			deliver(bytes, from, end);
		}
		else if (startsWith(bytes, from, end, "{}")) {
			link().send(bytes("{}"));
		}
		else if (indexOf(bytes, from, end, "\"error\":{") >= 0) {
			link().failed(text(bytes, from, end));
		}
		else if (isReply(bytes, from, end, CONNECT)) {
			link().send(bytes("{\"id\":%d,\"subscribe\":{\"channel\":\"%s\"}}".formatted(SUBSCRIBE, this.channel)));
		}
		else if (isReply(bytes, from, end, SUBSCRIBE)) {
			link().subscribed();
		}
		else if (indexOf(bytes, from, end, "\"publish\":{") >= 0) {
			link().confirmed();
		}
	}

	private static boolean isReply(byte[] bytes, int from, int end, long id) {
		return startsWith(bytes, from, end, "{\"id\":" + id + ",");
	}

}
