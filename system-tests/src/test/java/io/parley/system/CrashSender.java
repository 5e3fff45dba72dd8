package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.awaitility.Awaitility.await;

/**
 * A user who sends messages and reconnects after each crash. A patient user resends
 * messages without a receipt, with the same client ids and before new ones. An impatient
 * user does not, and so never learns their outcome.
 */
final class CrashSender implements Runnable {

	private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(100);

	private final URI server;

	private final String user;

	private final String token;

	private final boolean patient;

	private final Ledger ledger;

	private final BlockingQueue<TestMessage> fresh = new LinkedBlockingQueue<>();

	private final ConcurrentNavigableMap<Long, TestMessage> unacknowledged = new ConcurrentSkipListMap<>();

	private volatile boolean stopped;

	private long number;

	CrashSender(URI server, String user, String token, boolean patient, Ledger ledger) {
		this.server = server;
		this.user = user;
		this.token = token;
		this.patient = patient;
		this.ledger = ledger;
	}

	/** Queues one message; never waits for the server. */
	void offer(String room) {
		this.fresh.add(new TestMessage(room, this.user, this.number++));
	}

	boolean isDone() {
		return this.fresh.isEmpty() && this.unacknowledged.isEmpty();
	}

	void stop() {
		this.stopped = true;
	}

	@Override
	public void run() {
		await().dontCatchUncaughtExceptions().forever().pollInterval(BETWEEN_CONNECTIONS).until(this::connectOnce);
	}

	/** Sends until the connection breaks. Returns whether the user has been stopped. */
	private boolean connectOnce() {
		try (StompClient client = StompClient.connect(this.server, this.token, this::receive)) {
			send(client);
		}
		catch (IOException ex) {
			// The server is not available yet.
		}
		return this.stopped;
	}

	private void send(StompClient client) throws IOException {
		client.subscribe("mine", "/user/queue/events");
		if (!this.patient) {
			this.unacknowledged.clear();
		}
		for (TestMessage message : this.unacknowledged.values()) {
			send(client, message);
		}
		while (client.isOpen() && !this.stopped) {
			TestMessage message = next();
			if (message != null) {
				this.unacknowledged.put(message.number(), message);
				send(client, message);
			}
		}
	}

	private void send(StompClient client, TestMessage message) throws IOException {
		this.ledger.attempt(message);
		client.send(StompCommand.SEND, message.json(), "destination", "/app/rooms." + message.room() + ".send",
				"content-type", "application/json", "receipt", String.valueOf(message.number()));
	}

	private void receive(StompFrame frame) {
		if (frame.command() == StompCommand.RECEIPT) {
			TestMessage message = this.unacknowledged.remove(Long.valueOf(frame.header("receipt-id")));
			if (message != null) {
				this.ledger.acknowledge(message);
			}
		}
		else if (frame.command() == StompCommand.ERROR || "error".equals(frame.json().path("type").asString())) {
			this.ledger.reject(frame.headers() + " " + new String(frame.body()));
		}
	}

	private TestMessage next() {
		try {
			return this.fresh.poll(50, TimeUnit.MILLISECONDS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
