package io.parley.server.session;

import java.security.Principal;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.server.websocket.FrameSocket;
import io.parley.server.websocket.Outbox;
import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;

/**
 * One WebSocket session, from the open socket until its end. It has no user until CONNECT
 * is accepted. Safe for use by many threads.
 */
public final class ChatSession {

	/** The client reconnects and resumes with {@code after}. */
	static final CloseStatus FELL_BEHIND = new CloseStatus(4413, "fell behind");

	private static final long CLOSE_MILLIS = 5_000;

	private final String id;

	private final String address;

	private final int deliveryThread;

	private final FrameSocket socket;

	private final Outbox outbox;

	private final Instant openedAt = Instant.now();

	private final Subscriptions subscriptions = new Subscriptions();

	private final Semaphore replays = new Semaphore(1, true);

	private volatile @Nullable Principal user;

	private volatile Instant expiresAt = Instant.MAX;

	private volatile HeartBeat heartBeat = HeartBeat.NONE;

	private final ClientTraffic traffic = new ClientTraffic();

	private volatile CompletableFuture<?> pendingAppends = CompletableFuture.completedFuture(null);

	private volatile boolean disconnecting;

	private final AtomicBoolean closing = new AtomicBoolean();

	private volatile boolean ended;

	private volatile boolean lost;

	ChatSession(String id, String address, FrameSocket socket, int deliveryThread, Executor writer, long outboxBytes) {
		this.id = id;
		this.address = address;
		this.deliveryThread = deliveryThread;
		this.socket = socket;
		this.outbox = new Outbox(socket, writer, outboxBytes, this::notifySpaceAvailable);
	}

	public String id() {
		return this.id;
	}

	/** Returns the index of its thread in the {@link DeliveryThreadPool}. */
	public int deliveryThread() {
		return this.deliveryThread;
	}

	/** Returns the user, or null before CONNECT is accepted. */
	public @Nullable Principal principal() {
		return this.user;
	}

	/**
	 * Returns the name of the user.
	 * @throws IllegalStateException before CONNECT is accepted
	 */
	public String user() {
		Principal principal = this.user;
		if (principal == null) {
			throw new IllegalStateException("Session " + id() + " has no user yet");
		}
		return principal.getName();
	}

	void connected(Principal user, Instant expiresAt, HeartBeat heartBeat) {
		this.expiresAt = expiresAt;
		this.heartBeat = heartBeat;
		this.user = user;
		this.traffic.connected();
	}

	/** Extends the session until the new token expires. */
	public void extend(Instant expiresAt) {
		this.expiresAt = expiresAt;
	}

	/** Returns the limit key of the client's address. */
	String address() {
		return this.address;
	}

	/** Returns the state of the inbound traffic. */
	ClientTraffic traffic() {
		return this.traffic;
	}

	HeartBeat heartBeat() {
		return this.heartBeat;
	}

	Outbox outbox() {
		return this.outbox;
	}

	/**
	 * Sends a frame that may be dropped, after the frames that are already queued.
	 * @param frame must not be changed afterwards
	 * @return false if the outbox is full; then
	 * {@link SessionSubscription#spaceAvailable} follows
	 */
	public boolean offer(byte[] frame) {
		return this.outbox.offer(frame);
	}

	/**
	 * Sends a frame after the frames that are already queued. Closes the session instead
	 * if far too much is queued.
	 * @param frame must not be changed afterwards
	 */
	public void send(byte[] frame) {
		if (!this.outbox.send(frame)) {
			close(FELL_BEHIND);
		}
	}

	/**
	 * Waits until at most this number of bytes, and at most half of the outbox, is queued
	 * for the socket, or the session is closing.
	 * @throws InterruptedException if interrupted while waiting
	 */
	public void awaitBacklogAtMost(long bytes) throws InterruptedException {
		this.outbox.awaitBacklogAtMost(bytes);
	}

	/** Returns a single permit: the replays of a session run one at a time. */
	public Semaphore replays() {
		return this.replays;
	}

	/** Drops queued frames, and runs {@code answer} when no write is in progress. */
	void finish(Runnable answer) {
		this.outbox.finish(answer);
	}

	private void notifySpaceAvailable() {
		this.subscriptions.forEach((id, subscription) -> subscription.spaceAvailable());
	}

	Instant openedAt() {
		return this.openedAt;
	}

	Instant expiresAt() {
		return this.expiresAt;
	}

	/**
	 * Returns whether the token has expired or the server is closing the socket. No
	 * frames are accepted then.
	 */
	public boolean isClosingOrExpired() {
		return this.closing.get() || !this.expiresAt.isAfter(Instant.now());
	}

	/** Returns the subscriptions of this session. */
	public Subscriptions subscriptions() {
		return this.subscriptions;
	}

	/** Completes when all appends tracked so far have ended, successfully or not. */
	public CompletableFuture<?> pendingAppends() {
		return this.pendingAppends;
	}

	/** Tracks an append in progress. Called in the inbound queue of the session only. */
	public void trackAppend(CompletableFuture<?> append) {
		CompletableFuture<?> ended = append.handle((place, failure) -> null);
		CompletableFuture<?> before = this.pendingAppends;
		this.pendingAppends = before.isDone() ? ended : CompletableFuture.allOf(before, ended);
	}

	/** Records that the client has sent DISCONNECT. Earlier frames are still answered. */
	public void markDisconnecting() {
		this.disconnecting = true;
	}

	/** Returns whether the client has sent DISCONNECT. */
	public boolean isDisconnecting() {
		return this.disconnecting;
	}

	/** Returns whether the socket has closed. Later subscriptions must be removed. */
	public boolean ended() {
		return this.ended;
	}

	/** Returns whether it closed without a goodbye: the last frames sent may be lost. */
	public boolean lost() {
		return this.lost;
	}

	/** Returns the time at which the client last sent something. */
	public Instant lastReceivedAt() {
		return this.traffic.lastReceivedAt();
	}

	void end(boolean lost) {
		this.lost = lost;
		this.ended = true;
	}

	/**
	 * Closes the socket after the queued frames are written. Does not wait. A socket that
	 * does not take them in 5 seconds is aborted.
	 */
	public void close(CloseStatus status) {
		if (this.closing.compareAndSet(false, true)) {
			this.outbox.close(status);
			CompletableFuture.delayedExecutor(CLOSE_MILLIS, TimeUnit.MILLISECONDS).execute(this::abort);
		}
	}

	private void abort() {
		if (!this.ended) {
			this.socket.abort();
		}
	}

}
