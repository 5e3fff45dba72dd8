package io.parley.server.broker;

import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;
import org.springframework.messaging.simp.stomp.ReactorNettyTcpStompClient;
import org.springframework.messaging.simp.stomp.StompHeaders;
import org.springframework.messaging.simp.stomp.StompSession;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;

/**
 * This server's own connection to the broker. Reconnects until the server stops, at the
 * next address if one does not answer. Safe for use by many threads.
 */
public class BrokerLink implements SmartLifecycle {

	private static final Logger log = LoggerFactory.getLogger(BrokerLink.class);

	private static final long[] HEART_BEAT = { 10_000, 10_000 };

	private static final long CONNECT_MILLIS = 10_000;

	private static final long RECEIPT_MILLIS = 10_000;

	private static final long FIRST_PAUSE_MILLIS = 250;

	private static final long LONGEST_PAUSE_MILLIS = 5_000;

	private final BrokerProperties.Relay properties;

	private final BrokerDialect dialect;

	private final BrokerTcp tcp;

	private final ThreadPoolTaskScheduler scheduler = new ThreadPoolTaskScheduler();

	private final ReactorNettyTcpStompClient client;

	private final Supplier<List<Listener>> listenerBeans;

	private volatile List<Listener> listeners = List.of();

	private final AtomicInteger failures = new AtomicInteger();

	private volatile @Nullable LinkSession session;

	private volatile boolean running;

	/**
	 * Creates a link that connects when it is started.
	 * @param listeners queried at the start, because a listener itself uses this link
	 */
	public BrokerLink(BrokerProperties.Relay properties, BrokerTcp tcp, Supplier<List<Listener>> listeners) {
		this.properties = properties;
		this.dialect = BrokerDialect.of(this.properties.kind());
		this.tcp = tcp;
		this.listenerBeans = listeners;
		this.client = new ReactorNettyTcpStompClient(tcp.client());
		this.scheduler.setThreadNamePrefix("broker-link-");
		this.scheduler.setDaemon(true);
	}

	/** Notified of the state of the connection, in order, on a separate thread. */
	public interface Listener {

		/** Called for each new connection. Nothing is subscribed on it yet. */
		void connected();

		void lost();

	}

	/**
	 * Publishes messages in this order, and returns when the broker has received all of
	 * them. Waits for the network.
	 * @throws RuntimeException if it may not have all; they may be published again
	 */
	public void publish(List<BrokerMessage> messages) {
		current().publish(messages, RECEIPT_MILLIS);
	}

	/** Publishes a message that may be lost. */
	public void offer(BrokerMessage message) {
		LinkSession current = this.session;
		if (current != null) {
			current.offer(message);
		}
	}

	/**
	 * Subscribes on the current connection. The subscription ends with the connection.
	 * @param messages called by one thread at a time, in order
	 * @return null if there is no connection
	 */
	public @Nullable LinkSubscription subscribe(String topic, Consumer<BrokerMessage> messages) {
		LinkSession current = this.session;
		return (current != null) ? current.subscribe(topic, messages) : null;
	}

	private LinkSession current() {
		LinkSession current = this.session;
		if (current == null) {
			throw new BrokerAwayException("No connection to the broker, " + this.properties);
		}
		return current;
	}

	@Override
	public void start() {
		this.listeners = this.listenerBeans.get();
		this.running = true;
		this.scheduler.initialize();
		this.client.setTaskScheduler(this.scheduler);
		this.client.setDefaultHeartbeat(HEART_BEAT);
		this.client.setReceiptTimeLimit(RECEIPT_MILLIS);
		connect();
	}

	private void connect() {
		InetSocketAddress address = this.tcp.address();
		Attempt attempt = new Attempt(address);
		this.scheduler.schedule(attempt::expire, Instant.now().plusMillis(CONNECT_MILLIS));
		StompHeaders headers = new StompHeaders();
		headers.setHost(this.properties.virtualHost());
		headers.setLogin(this.properties.username());
		headers.setPasscode(this.properties.password());
		this.client.connectAsync(headers, attempt);
	}

	private void established(StompSession stomp) {
		this.failures.set(0);
		LinkSession established = new LinkSession(stomp, this.dialect);
		this.session = established;
		log.info("Connected to the broker, {}", this.properties);
		this.scheduler.execute(() -> this.listeners.forEach(Listener::connected));
	}

	private void failed(InetSocketAddress address, Throwable cause) {
		LinkSession lost = this.session;
		this.session = null;
		this.tcp.failed(address);
		if (lost != null) {
			lost.lost(cause);
			this.scheduler.execute(() -> this.listeners.forEach(Listener::lost));
		}
		if (this.running) {
			int attempts = this.failures.getAndIncrement();
			if (attempts == 0) {
				log.warn("No connection to the broker, {} ({}); retrying with back-off", this.properties,
						String.valueOf(cause.getMessage()));
			}
			long pause = Math.min(LONGEST_PAUSE_MILLIS, FIRST_PAUSE_MILLIS << Math.min(attempts, 10));
			long jitter = ThreadLocalRandom.current().nextLong(pause / 2 + 1);
			this.scheduler.schedule(this::connect, Instant.now().plusMillis(pause / 2 + jitter));
		}
	}

	@Override
	public void stop() {
		this.running = false;
		LinkSession last = this.session;
		this.session = null;
		if (last != null) {
			last.disconnect();
		}
		this.client.shutdown();
		this.scheduler.shutdown();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	/** Starts before everything that uses it and stops after it. */
	@Override
	public int getPhase() {
		return -200;
	}

	/** One attempt to connect, and its connection. It fails at most once. */
	private final class Attempt extends BrokerErrorLogger {

		private final InetSocketAddress address;

		private volatile boolean connected;

		private final CompletableFuture<Throwable> failed = new CompletableFuture<>();

		Attempt(InetSocketAddress address) {
			super(BrokerLink.this.properties);
			this.address = address;
		}

		void expire() {
			if (!this.connected) {
				fail(new BrokerAwayException(
						"no answer to CONNECT in " + TimeUnit.MILLISECONDS.toSeconds(CONNECT_MILLIS) + " s"));
			}
		}

		@Override
		public void afterConnected(StompSession stomp, StompHeaders headers) {
			if (this.failed.isDone() || !BrokerLink.this.running) {
				stomp.disconnect();
				return;
			}
			this.connected = true;
			established(stomp);
		}

		/**
		 * Before CONNECTED it rejects the login. The close that follows has no reason.
		 */
		@Override
		public void handleFrame(StompHeaders headers, @Nullable Object payload) {
			if (this.connected) {
				super.handleFrame(headers, payload);
			}
			else {
				fail(new BrokerAwayException("login rejected: " + reason(headers, payload)));
			}
		}

		@Override
		public void handleTransportError(StompSession stomp, Throwable ex) {
			fail(ex);
		}

		private void fail(Throwable ex) {
			if (this.failed.complete(ex)) {
				BrokerLink.this.failed(this.address, ex);
			}
		}

	}

}
