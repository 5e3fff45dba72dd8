package io.parley.server.websocket;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.Executor;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;

/**
 * The frames queued for the socket of one session. They are sent in the order in which
 * they were added, and frames that have gathered are sent in one write. Bounded in bytes.
 * Only {@link #awaitBacklogAtMost} blocks. Safe for use by many threads.
 */
public final class Outbox {

	/** Maximum number of bytes passed to the socket at once; the rest stays queued. */
	private static final int WRITE_BYTES = 16 * 1024;

	/** The frame object and its place in the queue, roughly. */
	private static final int FRAME_OVERHEAD_BYTES = 64;

	private static final byte[] NO_FRAMES = {};

	private static final Runnable NO_OP = () -> {
	};

	private final FrameSocket socket;

	private final Executor writer;

	private final long maxBytes;

	private final Runnable onSpace;

	private final ArrayDeque<byte[]> queue = new ArrayDeque<>(2);

	/** Bytes of the queued frames and of those that the socket has not taken yet. */
	private long bytes;

	private long bytesInSocket;

	private final Runnable write = this::write;

	private final Runnable written = this::written;

	private boolean scheduled;

	private boolean rejected;

	/** No more frames are accepted. */
	private boolean closing;

	/** Runs when the last frame is written. */
	private @Nullable Runnable afterLastFrame;

	private volatile long lastProgress = System.nanoTime();

	/**
	 * Creates an empty outbox.
	 * @param writer runs the writes, one after the other
	 * @param maxBytes the bound above which {@link #offer} rejects frames
	 * @param onSpace called by the writer after a rejection, when half of the bound is
	 * free again
	 */
	public Outbox(FrameSocket socket, Executor writer, long maxBytes, Runnable onSpace) {
		this.socket = socket;
		this.writer = writer;
		this.maxBytes = maxBytes;
		this.onSpace = onSpace;
	}

	/**
	 * Adds a frame if it fits. An empty outbox accepts a frame of any size.
	 * @param frame must not be changed afterwards; may be shared with other sessions
	 * @return whether the frame will be sent, provided that the session lives
	 */
	public boolean offer(byte[] frame) {
		boolean needsWrite;
		synchronized (this) {
			if (this.bytes > 0 && this.bytes + frame.length > this.maxBytes) {
				this.rejected = true;
				return false;
			}
			needsWrite = add(frame);
		}
		schedule(needsWrite);
		return true;
	}

	/**
	 * Adds a frame that must not be dropped, up to twice the bound.
	 * @return false if too much is queued; then the session must end
	 */
	public boolean send(byte[] frame) {
		boolean needsWrite;
		synchronized (this) {
			if (this.bytes > 2 * this.maxBytes) {
				return false;
			}
			needsWrite = add(frame);
		}
		schedule(needsWrite);
		return true;
	}

	private boolean add(byte[] frame) {
		if (this.closing) {
			return false;
		}
		if (this.bytes == 0) {
			this.lastProgress = System.nanoTime();
		}
		this.queue.add(frame);
		this.bytes += frame.length + FRAME_OVERHEAD_BYTES;
		return claimWrite();
	}

	/** Closes the socket when all queued frames are written. Drops later frames. */
	public void close(CloseStatus status) {
		boolean needsWrite;
		synchronized (this) {
			needsWrite = !this.closing && end(() -> this.socket.close(status));
		}
		schedule(needsWrite);
	}

	/**
	 * Drops queued and later frames. Runs {@code next} when the socket has taken the
	 * write in progress, and after the effect of an earlier {@link #close}.
	 * @param next must not block
	 */
	public void finish(Runnable next) {
		boolean needsWrite;
		synchronized (this) {
			this.queue.clear();
			this.bytes = this.bytesInSocket;
			needsWrite = end(next);
		}
		schedule(needsWrite);
	}

	private boolean end(Runnable next) {
		Runnable before = this.afterLastFrame;
		this.afterLastFrame = (before != null) ? () -> {
			before.run();
			next.run();
		} : next;
		this.closing = true;
		notifyAll();
		return claimWrite();
	}

	/**
	 * Returns whether no write is scheduled; then the caller must {@link #schedule} it.
	 */
	private boolean claimWrite() {
		boolean needed = !this.scheduled;
		this.scheduled = true;
		return needed;
	}

	/**
	 * Never called with the lock, because the writer that it wakes takes the lock at
	 * once.
	 */
	private void schedule(boolean needsWrite) {
		if (needsWrite) {
			this.writer.execute(this.write);
		}
	}

	/**
	 * Writes the next frames. No other write begins between {@link #claimWrite} and the
	 * moment when the socket has taken them.
	 */
	private void write() {
		byte[] frames = take();
		if (frames.length == 0) {
			takeAfterLastFrame().run();
		}
		else {
			this.socket.write(frames, this.written);
		}
	}

	/** Takes the next frames. Copies them only if there are several. */
	private synchronized byte[] take() {
		int count = 0;
		int length = 0;
		for (byte[] frame : this.queue) {
			if (count > 0 && length + frame.length > WRITE_BYTES) {
				break;
			}
			count++;
			length += frame.length;
		}
		this.bytesInSocket = length + (long) count * FRAME_OVERHEAD_BYTES;
		return switch (count) {
			case 0 -> NO_FRAMES;
			case 1 -> this.queue.remove();
			default -> takeJoined(count, length);
		};
	}

	private byte[] takeJoined(int count, int length) {
		ByteBuffer joined = ByteBuffer.allocate(length);
		for (int i = 0; i < count; i++) {
			joined.put(this.queue.remove());
		}
		return joined.array();
	}

	private synchronized Runnable takeAfterLastFrame() {
		Runnable taken = this.afterLastFrame;
		this.afterLastFrame = null;
		this.scheduled = false;
		return (taken != null) ? taken : NO_OP;
	}

	private void written() {
		this.lastProgress = System.nanoTime();
		boolean needsWrite;
		boolean space;
		synchronized (this) {
			this.bytes -= this.bytesInSocket;
			this.bytesInSocket = 0;
			this.scheduled = false;
			needsWrite = (!this.queue.isEmpty() || this.afterLastFrame != null) && claimWrite();
			space = this.rejected && this.bytes <= this.maxBytes / 2;
			if (space) {
				this.rejected = false;
			}
			notifyAll();
		}
		schedule(needsWrite);
		if (space) {
			this.writer.execute(this.onSpace);
		}
	}

	/**
	 * Waits until at most this number of bytes, and at most half of the bound, is queued,
	 * or the session is closing.
	 * @throws InterruptedException if interrupted while waiting
	 */
	public synchronized void awaitBacklogAtMost(long bytes) throws InterruptedException {
		while (this.bytes > Math.min(bytes, this.maxBytes / 2) && !this.closing) {
			wait();
		}
	}

	/**
	 * Returns {@link System#nanoTime} when the socket last took something. While frames
	 * are queued, the value is not before the first of them was added.
	 */
	public long lastProgress() {
		return this.lastProgress;
	}

	/** Returns whether there are frames that the socket has not taken yet. */
	public synchronized boolean hasPendingFrames() {
		return this.bytes > 0;
	}

}
