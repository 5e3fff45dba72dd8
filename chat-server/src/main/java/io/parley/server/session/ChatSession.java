package io.parley.server.session;

import java.nio.ByteBuffer;
import java.security.Principal;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import io.parley.server.error.ErrorCode;
import io.parley.server.websocket.FrameSocket;
import io.parley.server.websocket.Outbox;
import io.parley.server.websocket.SocketOwner;
import org.jspecify.annotations.Nullable;

import org.springframework.messaging.Message;
import org.springframework.messaging.simp.SimpMessageHeaderAccessor;
import org.springframework.web.socket.CloseStatus;
import org.springframework.web.socket.WebSocketSession;

/**
 * One WebSocket session, from the open socket until its end. It has no user until CONNECT
 * is accepted. Safe for use by many threads.
 */
public final class ChatSession implements SocketOwner {

	/** The client reconnects and resumes with {@code after}. */
	static final CloseStatus FELL_BEHIND = new CloseStatus(4413, "fell behind");

	/** The client must not reconnect with the same tokens. */
	static final CloseStatus SIGNED_OUT = new CloseStatus(4403, ErrorCode.SIGNED_OUT.code());

	private static final long CLOSE_MILLIS = 5_000;

	private static final long SIGN_OUT_MILLIS = 500;

	private static final Runnable NO_OP = () -> {
	};

	/** The WebSocket attribute that contains the session. */
	private static final String ATTRIBUTE = ChatSession.class.getName();

	private final String id;

	private final String address;

	private final int deliveryThread;

	private final FrameSocket socket;

	private final Outbox outbox;

	private final Instant openedAt = Instant.now();

	private final SubscriptionTable subscriptions = new SubscriptionTable();

	private final Semaphore replays = new Semaphore(1, true);

	private volatile @Nullable Principal user;

	private volatile String signIn = "";

	private volatile Instant expiresAt = Instant.MAX;

	private volatile HeartBeat heartBeat = HeartBeat.NONE;

	private final ClientTraffic traffic = new ClientTraffic();

	private volatile CompletableFuture<?> pendingAppends = CompletableFuture.completedFuture(null);

	private volatile boolean disconnecting;

	/** Why the server closes the socket; null while it does not. */
	private final AtomicReference<@Nullable CloseStatus> closing = new AtomicReference<>();

	private volatile boolean signedOut;

	private volatile boolean away;

	private volatile boolean ended;

	private volatile boolean lost;

	ChatSession(String id, String address, FrameSocket socket, int deliveryThread, Executor writer, long outboxBytes) {
		this.id = id;
		this.address = address;
		this.deliveryThread = deliveryThread;
		this.socket = socket;
		this.outbox = new Outbox(socket, writer, outboxBytes, this::notifySpaceAvailable);
	}

	/**
	 * Returns the session that sent a message, or null if the message was not sent by a
	 * session. Spring copies the attributes of a WebSocket to the headers of each of its
	 * messages.
	 */
	public static @Nullable ChatSession of(Message<?> message) {
		Map<String, Object> attributes = SimpMessageHeaderAccessor.getSessionAttributes(message.getHeaders());
		return (attributes != null) ? (ChatSession) attributes.get(ATTRIBUTE) : null;
	}

	/** Returns the session of a WebSocket, or null before {@link #addTo}. */
	static @Nullable ChatSession of(WebSocketSession socket) {
		return (ChatSession) socket.getAttributes().get(ATTRIBUTE);
	}

	/** Adds this session to the attributes of its WebSocket. */
	public void addTo(Map<String, Object> attributes) {
		attributes.put(ATTRIBUTE, this);
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

	void connected(Principal user, String signIn, Instant expiresAt, HeartBeat heartBeat) {
		this.signIn = signIn;
		this.expiresAt = expiresAt;
		this.heartBeat = heartBeat;
		this.user = user;
		this.traffic.connected();
	}

	/**
	 * Extends the session until the new token expires.
	 * @param signIn the id of the sign-in of that token: the session ends with it
	 */
	public void extend(String signIn, Instant expiresAt) {
		this.signIn = signIn;
		this.expiresAt = expiresAt;
	}

	/** Returns the id of the sign-in of its token, or "" before CONNECT is accepted. */
	public String signIn() {
		return this.signIn;
	}

	/** Returns the limit key of the client's address. */
	String address() {
		return this.address;
	}

	/** Returns the state of the inbound traffic. */
	ClientTraffic traffic() {
		return this.traffic;
	}

	@Override
	public boolean frameReceived(int bytes) {
		this.traffic.frameReceived();
		return this.traffic.mayRead(bytes);
	}

	@Override
	public void rejectFrame() {
		close(ClientTraffic.TOO_MUCH_BEFORE_CONNECT);
	}

	@Override
	public boolean isHeartBeat(ByteBuffer message) {
		return this.traffic.betweenFrames() && HeartBeat.is(message);
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
	@Override
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

	@Override
	public void finish(Runnable next) {
		this.outbox.finish(next);
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
		return this.closing.get() != null || !this.expiresAt.isAfter(Instant.now());
	}

	/** Returns whether the client has said that its user is away. */
	public boolean away() {
		return this.away;
	}

	/** Called by the {@link SessionRegistry} only. */
	void setAway(boolean away) {
		this.away = away;
	}

	/** Returns the subscriptions of this session. */
	public SubscriptionTable subscriptions() {
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
	@Override
	public void close(CloseStatus status) {
		if (this.closing.compareAndSet(null, status)) {
			this.outbox.close(status);
			CompletableFuture.delayedExecutor(CLOSE_MILLIS, TimeUnit.MILLISECONDS).execute(this::abort);
		}
	}

	/**
	 * Closes the socket because its sign-in has ended. Drops the queued frames, and the
	 * frames of the client that are not handled yet. Does not wait. A socket that does
	 * not take the close frame in half a second is aborted.
	 */
	public void signOut() {
		this.signedOut = true;
		boolean first = this.closing.compareAndSet(null, SIGNED_OUT);
		this.outbox.finish(first ? () -> this.socket.close(SIGNED_OUT) : NO_OP);
		CompletableFuture.delayedExecutor(SIGN_OUT_MILLIS, TimeUnit.MILLISECONDS).execute(this::abort);
	}

	/**
	 * Returns whether the sign-in has ended. The frames of the client must be dropped.
	 */
	public boolean signedOut() {
		return this.signedOut;
	}

	/**
	 * Returns the code that tells why the socket has ended: that of the server if it was
	 * closing, even if the client has not read it, otherwise that of the socket.
	 */
	int closeCode(CloseStatus ofSocket) {
		CloseStatus ofServer = this.closing.get();
		return ((ofServer != null) ? ofServer : ofSocket).getCode();
	}

	private void abort() {
		if (!this.ended) {
			this.socket.abort();
		}
	}

}
