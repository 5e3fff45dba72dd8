package io.parley.loadtest.study.peers.wire;

/**
 * The text protocol of NATS: lines, and the payload after a line MSG. The server does not
 * confirm messages.
 */
public final class NatsWire extends Wire {

	private static final String LINE = "\r\n";

	private final String subject;

	private boolean ready;

	public NatsWire(Link link, String subject) {
		super(link);
		this.subject = subject;
	}

	@Override
	public void opened() {
		// The server speaks first.
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes("PUB " + this.subject + " " + text.length + LINE + text(text, 0, text.length) + LINE);
	}

	@Override
	public boolean isText() {
		return false;
	}

	@Override
	int take(byte[] bytes, int from, int to, boolean last) {
		int line = indexOf(bytes, from, to, LINE);
		if (line < 0) {
			return INCOMPLETE;
		}
		int next = line + LINE.length();
		if (!startsWith(bytes, from, line, "MSG ")) {
			line(bytes, from, line);
			return next;
		}
		int end = next + size(bytes, from, line);
		if (end + LINE.length() > to) {
			return INCOMPLETE;
		}
		deliver(bytes, next, end);
		return end + LINE.length();
	}

	/**
	 * Returns the last number of a line MSG.
	 */
	private static int size(byte[] bytes, int from, int line) {
		int size = 0;
		int unit = 1;
		for (int at = line - 1; at > from && Character.isDigit(bytes[at]); at--) {
			size += unit * (bytes[at] - '0');
			unit *= 10;
		}
		return size;
	}

	private void line(byte[] bytes, int from, int line) {
		if (startsWith(bytes, from, line, "INFO ")) {
			if (!this.ready) {
				// The answer to PING shows that the server has handled SUB.
				link().send(bytes("CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":true,\"headers\":false}"
						+ LINE + "SUB " + this.subject + " 1" + LINE + "PING" + LINE));
			}
		}
		else if (startsWith(bytes, from, line, "PING")) {
			link().send(bytes("PONG" + LINE));
		}
		else if (startsWith(bytes, from, line, "PONG")) {
			if (!this.ready) {
				this.ready = true;
				link().subscribed();
			}
		}
		else if (!startsWith(bytes, from, line, "+OK")) {
			link().failed(text(bytes, from, line));
		}
	}

}
