package io.parley.loadtest.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.parley.loadtest.cli.LoadTestException;
import io.parley.loadtest.faults.Action.How;
import io.parley.loadtest.faults.Action.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Forwards connections to a server, with the faults of a script. Each connection has two
 * virtual threads. The values of ranges depend only on the seed, the rule, and the number
 * of the connection.
 */
final class Proxy implements AutoCloseable {

	private static final int CONNECT_MILLIS = 5_000;

	private static final Duration AFTER_FAILURE = Duration.ofMillis(100);

	private static final byte[] BUSY = ("HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
			+ "Connection: close\r\n\r\n")
		.getBytes(StandardCharsets.US_ASCII);

	private final InetSocketAddress to;

	private final Semaphore places;

	private final Script script;

	private final long seed;

	private final Counts counts;

	private final Restart restart;

	private final ServerSocket listener;

	private final Map<Long, Link> links = new ConcurrentSkipListMap<>();

	private final ScheduledExecutorService clock = Executors
		.newSingleThreadScheduledExecutor(Thread.ofPlatform().daemon().name("faults").factory());

	private volatile long refuseUntil = System.nanoTime();

	private volatile long busyUntil = System.nanoTime();

	/**
	 * Listens. Connections are forwarded at once, faults begin with {@link #start}.
	 * @throws LoadTestException when the address is in use
	 */
	Proxy(InetSocketAddress listen, InetSocketAddress to, int mostConnections, Script script, long seed, Counts counts,
			Restart restart) {
		this.to = to;
		this.places = new Semaphore(mostConnections);
		this.script = script;
		this.seed = seed;
		this.counts = counts;
		this.restart = restart;
		try {
			this.listener = new ServerSocket(listen.getPort(), 0, listen.getAddress());
		}
		catch (IOException ex) {
			throw new LoadTestException("Cannot listen on %s (%s): choose another port with --listen."
				.formatted(listen.getHostString() + ":" + listen.getPort(), ex.getMessage()));
		}
		Thread.ofVirtual().name("accept").start(this::accept);
	}

	/**
	 * Begins with the rules that follow the clock.
	 */
	void start() {
		for (int n = 0; n < this.script.rules().size(); n++) {
			Rule rule = this.script.rules().get(n);
			if (rule.when() instanceof Rule.Time time) {
				schedule(rule, time, random(-1 - n));
			}
		}
	}

	private Random random(long number) {
		// Similar seeds of Random have similar first values.
		return new Random(new SplittableRandom(this.seed * 1_000_003 + number).nextLong());
	}

	private void schedule(Rule rule, Rule.Time time, Random random) {
		this.clock.schedule(() -> {
			perform(rule.action(), random);
			if (rule.repeated()) {
				schedule(rule, time, random);
			}
		}, time.millis().pick(random), TimeUnit.MILLISECONDS);
	}

	private void perform(Action action, Random random) {
		List<Link> all = List.copyOf(this.links.values());
		switch (action.whom()) {
			case EVERYTHING -> perform(null, action);
			case ALL -> all.forEach((link) -> perform(link, action));
			case WEBSOCKETS -> all.stream().filter(Link::isWebSocket).forEach((link) -> perform(link, action));
			case ONE -> {
				List<Link> some = all.stream().filter(Link::isWebSocket).toList();
				if (!some.isEmpty()) {
					perform(some.get(random.nextInt(some.size())), action);
				}
			}
			case ITSELF -> throw new IllegalArgumentException("the clock has no connection of its own");
		}
	}

	private void perform(@Nullable Link link, Action action) {
		if (action.kind() == Kind.RESTART) {
			this.restart.begin();
		}
		else if (action.kind() == Kind.REFUSE) {
			if (this.counts.permit(Kind.REFUSE)) {
				this.refuseUntil = System.nanoTime() + Duration.ofMillis(action.length()).toNanos();
			}
		}
		else if (action.kind() == Kind.ANSWER_503) {
			if (this.counts.permit(Kind.ANSWER_503)) {
				this.busyUntil = System.nanoTime() + Duration.ofMillis(action.length()).toNanos();
			}
		}
		else if (link != null) {
			link.perform(action);
		}
	}

	private void accept() {
		for (long number = 0; !this.listener.isClosed(); number++) {
			try {
				Socket client = this.listener.accept();
				this.counts.connections.increment();
				long one = number;
				Thread.ofVirtual().start(() -> serve(one, client));
			}
			catch (IOException ex) {
				// Too many open files, for example.
				LockSupport.parkNanos(AFTER_FAILURE.toNanos());
			}
		}
	}

	private void serve(long number, Socket client) {
		if (this.refuseUntil - System.nanoTime() > 0 || !this.places.tryAcquire()) {
			this.counts.refused.increment();
			Link.close(client, How.RESET);
			return;
		}
		try (client; Socket server = new Socket()) {
			if (this.busyUntil - System.nanoTime() > 0) {
				this.counts.refused.increment();
				answerBusy(client);
				return;
			}
			Link link = connect(number, client, server);
			if (link != null) {
				this.links.put(number, link);
				link.run();
			}
		}
		catch (IOException ex) {
			// The client has gone already.
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.links.remove(number);
			this.places.release();
		}
	}

	/**
	 * Answers after the head of the request: a client may not read before it has written.
	 */
	private static void answerBusy(Socket client) throws IOException {
		client.setSoTimeout(CONNECT_MILLIS);
		InputStream in = client.getInputStream();
		int last = 0;
		for (int length = 0; length < Pump.LONGEST_HEAD && last != Pump.END_OF_HEAD; length++) {
			int next = in.read();
			if (next < 0) {
				return;
			}
			last = (last << 8) | next;
		}
		client.getOutputStream().write(BUSY);
		client.shutdownOutput();
		// A reset would take the answer away from a client that is still writing its
		// body.
		in.transferTo(OutputStream.nullOutputStream());
	}

	private @Nullable Link connect(long number, Socket client, Socket server) throws IOException {
		try {
			server.connect(this.to, CONNECT_MILLIS);
		}
		catch (IOException ex) {
			this.counts.unreachable.increment();
			Link.close(client, How.RESET);
			return null;
		}
		client.setTcpNoDelay(true);
		server.setTcpNoDelay(true);
		return new Link(client, server, random(number), this.counts, this.script.rules(), this::perform);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Ends all connections.
	 */
	@Override
	public void close() {
		this.clock.shutdownNow();
		try {
			this.listener.close();
		}
		catch (IOException ex) {
			// Nobody can connect any more.
		}
		this.links.values().forEach((link) -> link.cut(How.END));
	}

}
