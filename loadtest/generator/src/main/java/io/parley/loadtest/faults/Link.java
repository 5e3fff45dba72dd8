package io.parley.loadtest.faults;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.net.Socket;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.parley.loadtest.faults.Action.How;
import io.parley.loadtest.faults.Action.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a client and the connection to the server that belongs to it. Safe for
 * use by many threads.
 */
final class Link {

	private final Socket client;

	private final Socket server;

	private final Random random;

	private final Counts counts;

	private final FrameCounter counter;

	private final Pump toClient;

	private final Pump toServer;

	private final CountDownLatch ended = new CountDownLatch(1);

	private final AtomicBoolean broken = new AtomicBoolean();

	private volatile boolean webSocket;

	private volatile boolean silent;

	/**
	 * Connects two sockets.
	 * @param rules those that count frames
	 * @param whenDue called with this connection and an action of these rules, between
	 * two frames
	 */
	Link(Socket client, Socket server, Random random, Counts counts, List<Rule> rules, WhenDue whenDue)
			throws IOException {
		this.client = client;
		this.server = server;
		this.random = random;
		this.counts = counts;
		this.counter = new FrameCounter(rules, new Random(random.nextLong()),
				(action) -> whenDue.perform(this, action));
		this.toClient = new Pump(this, Side.CLIENT, new Random(random.nextLong()),
				new BufferedInputStream(server.getInputStream()), client.getOutputStream());
		this.toServer = new Pump(this, Side.SERVER, new Random(random.nextLong()),
				new BufferedInputStream(client.getInputStream()), server.getOutputStream());
	}

	/**
	 * Does what is due after a number of frames.
	 */
	interface WhenDue {

		void perform(Link link, Action action);

	}

	/**
	 * Forwards in both directions until the connection ends.
	 */
	void run() throws InterruptedException {
		Thread back = Thread.ofVirtual().start(() -> pump(this.toClient, this.client));
		pump(this.toServer, this.server);
		back.join();
		cut(How.END);
	}

	private void pump(Pump pump, Socket target) {
		try {
			pump.run();
			awaitOpen();
			target.shutdownOutput();
		}
		catch (IOException ex) {
			// Also the end of a sender in the middle of a frame.
			if (!this.silent) {
				cut(How.RESET);
			}
		}
	}

	/**
	 * Performs a fault of this connection, or prepares it for a later frame.
	 */
	void perform(Action action) {
		switch (action.kind()) {
			case CUT -> {
				if (!hasEnded() && permits(Kind.CUT)) {
					cut(action.how(this.random));
				}
			}
			case HALF_OPEN -> {
				if (!hasEnded() && permits(Kind.HALF_OPEN)) {
					this.silent = true;
					Thread.ofVirtual().start(() -> {
						endsWithin(action.length());
						cut(How.RESET);
					});
				}
			}
			case DELAY -> {
				if (!hasEnded() && permits(Kind.DELAY)) {
					pumps(action.to()).forEach((pump) -> pump.delay(action.by(), action.length()));
				}
			}
			case TRICKLE -> {
				if (!hasEnded() && permits(Kind.TRICKLE)) {
					pumps(action.to()).forEach((pump) -> pump.trickle(action.length()));
				}
			}
			case CUT_INSIDE, SWALLOW_RECEIPT, CLOSE, OMIT, REPEAT, STALE_AFTER ->
				((action.to() == Side.CLIENT) ? this.toClient : this.toServer).arm(action);
			case REFUSE, ANSWER_503, RESTART ->
				throw new IllegalArgumentException(action.kind() + " is no fault of a connection");
		}
	}

	private List<Pump> pumps(@Nullable Side to) {
		return (to != null) ? List.of((to == Side.CLIENT) ? this.toClient : this.toServer)
				: List.of(this.toClient, this.toServer);
	}

	/**
	 * Ends both sides.
	 */
	void cut(How how) {
		close(this.client, how);
		close(this.server, how);
		this.ended.countDown();
	}

	static void close(Socket socket, How how) {
		try (socket) {
			if (how == How.RESET) {
				socket.setSoLinger(true, 0);
			}
		}
		catch (IOException ex) {
			// It is closed already.
		}
	}

	/**
	 * Waits while the connection is half-open.
	 * @throws IOException when it was ended meanwhile
	 */
	void awaitOpen() throws IOException {
		if (this.silent) {
			try {
				this.ended.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			throw new IOException("The connection was cut.");
		}
	}

	/**
	 * Waits.
	 * @return whether the connection has ended meanwhile
	 */
	boolean endsWithin(long millis) {
		try {
			return this.ended.await(millis, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return true;
		}
	}

	private boolean hasEnded() {
		return this.ended.getCount() == 0;
	}

	/**
	 * Returns whether the connection can have faults of frames: a WebSocket that is open.
	 */
	boolean isWebSocket() {
		return this.webSocket && !this.silent && !hasEnded();
	}

	void becomeWebSocket() {
		this.webSocket = true;
		this.counts.webSockets.increment();
	}

	void forwarded(Side to) {
		this.counter.count(to);
	}

	void count(Side to, int bytes) {
		this.counts.bytes(to).add(bytes);
	}

	/**
	 * Counts a fault that happens now.
	 * @return whether it may happen; only one fault ends a connection
	 */
	boolean permits(Kind kind) {
		if (!kind.endsConnection()) {
			return this.counts.permit(kind);
		}
		return this.broken.compareAndSet(false, true) && this.counts.permit(kind);
	}

}
