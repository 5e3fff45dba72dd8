package io.parley.loadtest.faults;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

import io.parley.loadtest.faults.Action.How;
import io.parley.loadtest.faults.Action.Kind;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection: forwards what it reads, frame by frame in a WebSocket.
 */
final class Pump {

	private static final byte[] SWITCHING = "HTTP/1.1 101".getBytes(StandardCharsets.US_ASCII);

	/** The last four bytes of the head of a request or a response. */
	static final int END_OF_HEAD = 0x0d0a0d0a;

	static final int LONGEST_HEAD = 64 * 1024;

	private static final int CHUNK = 16 * 1024;

	/** So many bytes at a time make 1,000 bytes a second. */
	private static final int DROP = 50;

	private static final int DROP_MILLIS = 50;

	private static final int CLOSE_MILLIS = 500;

	/** A position of an epoch that no server has had. */
	private static final long STALE = 1;

	/** Faults that wait for a frame. */
	private static final int MOST_ARMED = 100;

	private final Link link;

	private final Side to;

	private final Random random;

	private final InputStream in;

	private final OutputStream out;

	private final Queue<Action> armed = new ConcurrentLinkedQueue<>();

	private volatile @Nullable Delay delay;

	private volatile long trickleUntil = System.nanoTime();

	private record Delay(Range millis, long until) {
	}

	Pump(Link link, Side to, Random random, InputStream in, OutputStream out) {
		this.link = link;
		this.to = to;
		this.random = random;
		this.in = in;
		this.out = out;
	}

	void delay(Range millis, long length) {
		this.delay = new Delay(millis, System.nanoTime() + Duration.ofMillis(length).toNanos());
	}

	void trickle(long length) {
		this.trickleUntil = System.nanoTime() + Duration.ofMillis(length).toNanos();
	}

	/**
	 * Lets a fault happen to the next frame of its kind.
	 */
	void arm(Action action) {
		if (this.armed.size() < MOST_ARMED) {
			this.armed.add(action);
		}
	}

	/**
	 * Forwards until the sender ends.
	 */
	void run() throws IOException {
		if (this.to == Side.CLIENT && switchesProtocol()) {
			frames(this.in);
			return;
		}
		byte[] chunk = new byte[CHUNK];
		for (int length = this.in.read(chunk); length >= 0; length = this.in.read(chunk)) {
			if (this.to == Side.SERVER && this.link.isWebSocket()) {
				// A client sends frames only after the answer to its request.
				frames(new SequenceInputStream(new ByteArrayInputStream(chunk, 0, length), this.in));
				return;
			}
			forward(chunk, length);
		}
	}

	/**
	 * Forwards the head of the response if a WebSocket begins, otherwise what was read to
	 * find out.
	 */
	private boolean switchesProtocol() throws IOException {
		byte[] head = new byte[LONGEST_HEAD];
		int last = 0;
		for (int length = 0; length < head.length;) {
			int next = this.in.read();
			if (next < 0) {
				forward(head, length);
				return false;
			}
			head[length++] = (byte) next;
			last = (last << 8) | next;
			if (length <= SWITCHING.length && head[length - 1] != SWITCHING[length - 1]) {
				forward(head, length);
				return false;
			}
			if (last == END_OF_HEAD) {
				this.link.becomeWebSocket();
				forward(head, length);
				return true;
			}
		}
		throw new IOException("The head of the response is too long.");
	}

	private void frames(InputStream bytes) throws IOException {
		DataInputStream data = new DataInputStream(bytes);
		for (Frame frame = Frame.read(data); frame != null; frame = Frame.read(data)) {
			byte[] payload = frame.payload();
			if (payload == null) {
				forward(frame.header(), frame.header().length);
				rest(data, frame.length());
			}
			else {
				frame(frame, frame.bytes(payload));
			}
			if (frame.counts()) {
				this.link.forwarded(this.to);
			}
		}
	}

	private void rest(InputStream data, long length) throws IOException {
		byte[] chunk = new byte[CHUNK];
		for (long left = length; left != 0;) {
			int read = data.read(chunk, 0, (int) Math.min(Math.max(left, 1), chunk.length));
			if (read < 0) {
				throw new IOException("The connection ended within a frame.");
			}
			forward(chunk, read);
			left -= read;
		}
	}

	private void frame(Frame frame, byte[] bytes) throws IOException {
		Action fault = frame.counts() ? fault(frame) : null;
		if (fault == null) {
			forward(bytes, bytes.length);
			return;
		}
		switch (fault.kind()) {
			case CUT_INSIDE -> {
				forward(bytes, 1 + this.random.nextInt(bytes.length - 1));
				this.link.cut(fault.how(this.random));
			}
			case SWALLOW_RECEIPT -> this.link.cut(fault.how(this.random));
			case CLOSE -> {
				byte[] close = Frame.close((int) fault.by().pick(this.random));
				forward(close, close.length);
				// Closing a socket with unread bytes would take the frame away from the
				// client.
				this.link.endsWithin(CLOSE_MILLIS);
				this.link.cut(How.END);
			}
			case REPEAT -> {
				forward(bytes, bytes.length);
				forward(bytes, bytes.length);
			}
			case STALE_AFTER -> {
				byte[] stale = frame.resuming(STALE);
				forward(stale, stale.length);
			}
			default -> {
				// The frame is left out.
			}
		}
	}

	/**
	 * Returns the first fault that waits for such a frame, or null.
	 */
	private @Nullable Action fault(Frame frame) {
		for (Action next : this.armed) {
			if (waitsFor(next.kind(), frame)) {
				this.armed.remove(next);
				return this.link.permits(next.kind()) ? next : null;
			}
		}
		return null;
	}

	private static boolean waitsFor(Kind kind, Frame frame) {
		return switch (kind) {
			case OMIT, REPEAT -> frame.isEvent();
			case SWALLOW_RECEIPT -> frame.isReceipt();
			case STALE_AFTER -> frame.resumes();
			default -> true;
		};
	}

	private void forward(byte[] bytes, int length) throws IOException {
		Delay slow = this.delay;
		if (slow != null) {
			if (System.nanoTime() - slow.until() > 0) {
				this.delay = null;
			}
			else {
				pause(slow.millis().pick(this.random));
			}
		}
		for (int from = 0; from < length;) {
			int part = length - from;
			if (this.trickleUntil - System.nanoTime() > 0) {
				part = Math.min(part, DROP);
				pause(DROP_MILLIS);
			}
			this.link.awaitOpen();
			this.out.write(bytes, from, part);
			this.link.count(this.to, part);
			from += part;
		}
	}

	private void pause(long millis) throws IOException {
		if (this.link.endsWithin(millis)) {
			throw new IOException("The connection was cut.");
		}
	}

}
