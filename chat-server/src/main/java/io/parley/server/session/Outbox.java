package io.parley.server.session;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;

/**
 * The frames that wait for the socket of one session: they go out in the order in which
 * they came, and those that have gathered go out in one write. Bounded in bytes. No
 * method but {@link #awaitAtMost} waits; all may be called by any thread.
 */
final class Outbox {

	/** So much is handed to the socket at once; the rest waits for its turn. */
	private static final int WRITE_BYTES = 16 * 1024;

	/** The object and its place in the queue, roughly. */
	private static final int FRAME_OVERHEAD_BYTES = 64;

	private static final Runnable NOTHING = () -> {
	};

	private final FrameSocket socket;

	private final Executor writer;

	private final long maxBytes;

	private final Runnable onSpace;

	private final ArrayDeque<byte[]> queue = new ArrayDeque<>(2);

	/** Of the frames in the queue and of those that the socket has not taken yet. */
	private long bytes;

	private long bytesInSocket;

	private final Runnable write = this::write;

	private final Runnable written = this::written;

	private boolean scheduled;

	private boolean refused;

	/** Takes no more frames. */
	private boolean closing;

	/** What is to be done when the last frame is written. */
	private @Nullable Runnable ending;

	private volatile long lastProgress = System.nanoTime();

	/**
	 * An empty outbox.
	 * @param writer runs what writes, one after the other
	 * @param maxBytes from where on {@link #offer} refuses
	 * @param onSpace called by the writer after a refusal, when half of it is free again
	 */
	Outbox(FrameSocket socket, Executor writer, long maxBytes, Runnable onSpace) {
		this.socket = socket;
		this.writer = writer;
		this.maxBytes = maxBytes;
		this.onSpace = onSpace;
	}

	/**
	 * Takes a frame if it fits.
	 * @param frame not to be changed afterwards; may be shared with other sessions
	 * @return whether it will be sent, as long as the session lives
	 */
	synchronized boolean offer(byte[] frame) {
		if (this.bytes > 0 && this.bytes + frame.length > this.maxBytes) {
			this.refused = true;
			return false;
		}
		add(frame);
		return true;
	}

	/**
	 * Takes a frame that can't be left out, up to twice the bound.
	 * @return false when too much waits: the session must end
	 */
	synchronized boolean send(byte[] frame) {
		if (this.bytes > 2 * this.maxBytes) {
			return false;
		}
		add(frame);
		return true;
	}

	private void add(byte[] frame) {
		if (!this.closing) {
			if (this.bytes == 0) {
				this.lastProgress = System.nanoTime();
			}
			this.queue.add(frame);
			this.bytes += frame.length + FRAME_OVERHEAD_BYTES;
			schedule();
		}
	}

	/** Closes the socket when all that waits is written. What comes later is let go. */
	synchronized void close(CloseStatus status) {
		if (!this.closing) {
			end(() -> this.socket.close(status));
		}
	}

	/**
	 * Lets go of what waits and of what comes later. Goes on when the socket has taken
	 * what it was given, and after a {@link #close} before.
	 * @param next must not wait
	 */
	synchronized void finish(Runnable next) {
		this.queue.clear();
		this.bytes = this.bytesInSocket;
		end(next);
	}

	private void end(Runnable next) {
		Runnable before = this.ending;
		this.ending = (before == null) ? next : () -> {
			before.run();
			next.run();
		};
		this.closing = true;
		schedule();
		notifyAll();
	}

	private void schedule() {
		if (!this.scheduled) {
			this.scheduled = true;
			this.writer.execute(this.write);
		}
	}

	/**
	 * From {@link #schedule} until the socket has taken the frames, no other write
	 * begins.
	 */
	private void write() {
		List<byte[]> frames = take();
		if (frames.isEmpty()) {
			takeEnding().run();
		}
		else {
			this.socket.write(frames, this.written);
		}
	}

	private synchronized List<byte[]> take() {
		List<byte[]> frames = new ArrayList<>(Math.min(this.queue.size(), 64));
		long taken = 0;
		for (byte[] frame = this.queue.peek(); frame != null
				&& (taken == 0 || taken + frame.length <= WRITE_BYTES); frame = this.queue.peek()) {
			frames.add(this.queue.remove());
			taken += frame.length + FRAME_OVERHEAD_BYTES;
		}
		this.bytesInSocket = taken;
		return frames;
	}

	private synchronized Runnable takeEnding() {
		Runnable taken = this.ending;
		this.ending = null;
		this.scheduled = false;
		return (taken != null) ? taken : NOTHING;
	}

	private void written() {
		this.lastProgress = System.nanoTime();
		boolean space;
		synchronized (this) {
			this.bytes -= this.bytesInSocket;
			this.bytesInSocket = 0;
			this.scheduled = false;
			if (!this.queue.isEmpty() || this.ending != null) {
				schedule();
			}
			space = this.refused && this.bytes <= this.maxBytes / 2;
			if (space) {
				this.refused = false;
			}
			notifyAll();
		}
		if (space) {
			this.writer.execute(this.onSpace);
		}
	}

	/**
	 * Waits until at most so many bytes, and at most half of the bound, wait, or the
	 * session is closing.
	 * @throws InterruptedException when interrupted while waiting
	 */
	synchronized void awaitAtMost(long bytes) throws InterruptedException {
		while (this.bytes > Math.min(bytes, this.maxBytes / 2) && !this.closing) {
			wait();
		}
	}

	/**
	 * {@link System#nanoTime} when the socket last took something; while frames wait, not
	 * before the first of them came.
	 */
	long lastProgress() {
		return this.lastProgress;
	}

	/** Whether the socket has not taken all frames yet. */
	synchronized boolean waiting() {
		return this.bytes > 0;
	}

}
