package io.parley.loadtest.study.peers.wire;

/**
 * The text protocol of NATS: lines, and the payload after a line MSG. The server does not
 * confirm messages.
 */
public class NatsWire extends Wire {

	static final String LINE = "\r\n";

	/** Starts a message that has headers. */
	static final String HEADERS = "HMSG ";

	private final String subject;

	private boolean ready;

	public NatsWire(Link link, String subject) {
		super(link);
		this.subject = subject;
	}

	@Override
	public final void opened() {
		// The server speaks first.
	}

	@Override
	public byte[] publish(byte[] text) {
		return bytes("PUB " + this.subject + " " + text.length + LINE + text(text, 0, text.length) + LINE);
	}

	@Override
	public final boolean isText() {
		return false;
	}

	@Override
	final int take(byte[] bytes, int from, int to, boolean last) {
		int line = indexOf(bytes, from, to, LINE);
		if (line < 0) {
			return INCOMPLETE;
		}
		int next = line + LINE.length();
		if (!startsWith(bytes, from, line, "MSG ") && !startsWith(bytes, from, line, HEADERS)) {
			line(bytes, from, line);
			return next;
		}
		int end = next + size(bytes, from, line);
		if (end + LINE.length() > to) {
			return INCOMPLETE;
		}
		message(bytes, from, line, next, end);
		return end + LINE.length();
	}

	/**
	 * Handles a line MSG or HMSG and what follows it.
	 * @param line the position after the line
	 * @param payload the position of the headers, if there are any, and the payload
	 */
	void message(byte[] bytes, int from, int line, int payload, int end) {
		deliver(bytes, payload, end);
	}

	/**
	 * Returns the last number of a line MSG or HMSG, which is the size of all that
	 * follows.
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

	/**
	 * Returns what the client sends first. The answer to PING shows that the server has
	 * handled SUB.
	 */
	String start() {
		return connect(false) + "SUB " + this.subject + " 1" + LINE + "PING" + LINE;
	}

	static String connect(boolean headers) {
		return "CONNECT {\"verbose\":false,\"pedantic\":false,\"echo\":true,\"headers\":" + headers + "}" + LINE;
	}

	final String subject() {
		return this.subject;
	}

	/**
	 * Called when the session is subscribed. Only the first call counts.
	 */
	final void ready() {
		if (!this.ready) {
			this.ready = true;
			link().subscribed();
		}
	}

	private void line(byte[] bytes, int from, int line) {
		if (startsWith(bytes, from, line, "INFO ")) {
			if (!this.ready) {
				link().send(bytes(start()));
			}
		}
		else if (startsWith(bytes, from, line, "PING")) {
			link().send(bytes("PONG" + LINE));
		}
		else if (startsWith(bytes, from, line, "PONG")) {
			ready();
		}
		else if (!startsWith(bytes, from, line, "+OK")) {
			link().failed(text(bytes, from, line));
		}
	}

}
