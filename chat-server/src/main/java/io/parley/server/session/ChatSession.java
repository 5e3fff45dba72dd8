package io.parley.server.session;

import java.security.Principal;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

import org.springframework.web.socket.CloseStatus;

/**
 * One WebSocket session, from the open socket to its end. Before CONNECT was accepted it
 * has no user. May be used by any thread.
 */
public final class ChatSession {

	/** The client comes back and resumes by {@code after}. */
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

	private volatile CompletableFuture<?> appends = CompletableFuture.completedFuture(null);

	private volatile boolean leaving;

	private final AtomicBoolean closing = new AtomicBoolean();

	private volatile boolean ended;

	private volatile boolean lost;

	ChatSession(String id, String address, FrameSocket socket, int deliveryThread, Executor writer, long outboxBytes) {
		this.id = id;
		this.address = address;
		this.deliveryThread = deliveryThread;
		this.socket = socket;
		this.outbox = new Outbox(socket, writer, outboxBytes, this::tellSpace);
	}

	public String id() {
		return this.id;
	}

	/** Which of the {@link DeliveryThreadPool} writes to this session. */
	public int deliveryThread() {
		return this.deliveryThread;
	}

	/** The user, or null before CONNECT was accepted. */
	public @Nullable Principal principal() {
		return this.user;
	}

	/**
	 * The name of the user.
	 * @throws IllegalStateException before CONNECT was accepted
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

	/** Lets the session live until the new token expires. */
	public void extend(Instant expiresAt) {
		this.expiresAt = expiresAt;
	}

	/** The client's address, as a key. */
	String address() {
		return this.address;
	}

	/** What has come from the client. */
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
	 * Sends a frame that may be left out, after those that already wait.
	 * @param frame not to be changed afterwards
	 * @return false when too much waits; then {@link SessionSubscription#spaceAgain}
	 * follows
	 */
	public boolean offer(byte[] frame) {
		return this.outbox.offer(frame);
	}

	/**
	 * Sends a frame, after those that already wait. A session for which far too much
	 * waits is closed instead.
	 * @param frame not to be changed afterwards
	 */
	public void send(byte[] frame) {
		if (!this.outbox.send(frame)) {
			close(FELL_BEHIND);
		}
	}

	/**
	 * Waits until no more than so many bytes, and no more than half of the outbox, wait
	 * for the socket, or the session is closing.
	 * @throws InterruptedException when interrupted while waiting
	 */
	public void awaitAtMost(long bytes) throws InterruptedException {
		this.outbox.awaitAtMost(bytes);
	}

	/** One permit: the replays of a session come one after the other. */
	public Semaphore replays() {
		return this.replays;
	}

	/**
	 * The client closes: nothing is sent any more. Answers when nothing is being written.
	 */
	void finish(Runnable answer) {
		this.outbox.finish(answer);
	}

	private void tellSpace() {
		this.subscriptions.forEach((id, subscription) -> subscription.spaceAgain());
	}

	Instant openedAt() {
		return this.openedAt;
	}

	Instant expiresAt() {
		return this.expiresAt;
	}

	/**
	 * Whether the token has expired, or the server closes the socket: no frame is taken
	 * any more.
	 */
	public boolean isOver() {
		return this.closing.get() || !this.expiresAt.isAfter(Instant.now());
	}

	/** What it has subscribed to. */
	public Subscriptions subscriptions() {
		return this.subscriptions;
	}

	/** Completes when all appends of this session so far have ended, well or not. */
	public CompletableFuture<?> appends() {
		return this.appends;
	}

	/** Notes an append under way. Called in the lane of the session only. */
	public void append(CompletableFuture<?> append) {
		CompletableFuture<?> ended = append.handle((place, failure) -> null);
		CompletableFuture<?> before = this.appends;
		this.appends = before.isDone() ? ended : CompletableFuture.allOf(before, ended);
	}

	/** The client has said that it goes; what it sent before is still being answered. */
	public void leave() {
		this.leaving = true;
	}

	/** Whether the client has said that it goes. */
	public boolean leaving() {
		return this.leaving;
	}

	/** Whether the socket has gone: what is subscribed from now on must be taken back. */
	public boolean ended() {
		return this.ended;
	}

	/** Whether it went without a word, so that what was sent to it last may be lost. */
	public boolean lost() {
		return this.lost;
	}

	/** When something came from the client last. */
	public Instant heardAt() {
		return this.traffic.heardAt();
	}

	void end(boolean lost) {
		this.lost = lost;
		this.ended = true;
	}

	/**
	 * Closes the socket after what waits for it. Does not wait: a socket that does not
	 * take it is cut after a moment.
	 */
	public void close(CloseStatus status) {
		if (this.closing.compareAndSet(false, true)) {
			this.outbox.close(status);
			CompletableFuture.delayedExecutor(CLOSE_MILLIS, TimeUnit.MILLISECONDS).execute(this::cut);
		}
	}

	private void cut() {
		if (!this.ended) {
			this.socket.cut();
		}
	}

}
