package io.parley.system;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import tools.jackson.databind.JsonNode;

import org.springframework.messaging.simp.stomp.StompCommand;

import static org.awaitility.Awaitility.await;

/**
 * A user who follows one room across all crashes as the protocol requires: resumes with
 * {@code after} on each reconnect, and accepts each position once.
 */
final class CrashSubscriber implements Runnable {

	private static final Duration BETWEEN_CONNECTIONS = Duration.ofMillis(50);

	private static final long UNKNOWN = -1;

	private final URI server;

	private final String token;

	private final String room;

	private final List<Seen> seen = new ArrayList<>();

	private volatile boolean stopped;

	private volatile long last = UNKNOWN;

	private long lastOfConnection;

	private int connections;

	private int notRecovered;

	private int disorders;

	private int repeats;

	private int gaps;

	/** A received event. */
	record Seen(long position, String id, String clientId) {
	}

	CrashSubscriber(URI server, String token, String room) {
		this.server = server;
		this.token = token;
		this.room = room;
	}

	void stop() {
		this.stopped = true;
	}

	/** Returns whether the first subscription has been confirmed. */
	boolean hasBegun() {
		return this.last != UNKNOWN;
	}

	boolean hasReached(long position) {
		return this.last >= position;
	}

	@Override
	public void run() {
		await().dontCatchUncaughtExceptions().forever().pollInterval(BETWEEN_CONNECTIONS).until(this::connectOnce);
	}

	/**
	 * Follows the room until the connection breaks. Returns whether the user has been
	 * stopped.
	 */
	private boolean connectOnce() {
		try (StompClient client = StompClient.connect(this.server, this.token, this::receive)) {
			follow(client);
		}
		catch (IOException ex) {
			// The server is not available yet.
		}
		return this.stopped;
	}

	private void follow(StompClient client) throws IOException {
		synchronized (this) {
			this.lastOfConnection = UNKNOWN;
			this.connections++;
		}
		String destination = "/topic/rooms." + this.room;
		if (hasBegun()) {
			client.subscribe("room", destination, "after", String.valueOf(this.last));
		}
		else {
			client.subscribe("room", destination);
		}
		await().dontCatchUncaughtExceptions()
			.forever()
			.pollInterval(BETWEEN_CONNECTIONS)
			.until(() -> this.stopped || !client.isOpen());
	}

	private synchronized void receive(StompFrame frame) {
		if (frame.command() != StompCommand.MESSAGE) {
			return;
		}
		JsonNode event = frame.json();
		if (event.path("type").asString().equals("subscribed")) {
			this.notRecovered += event.path("recovered").booleanValue() ? 0 : 1;
			this.last = hasBegun() ? this.last : event.path("head").longValue();
			return;
		}
		take(Long.parseLong(frame.header("position")), Long.parseLong(frame.header("prev")), event);
	}

	private void take(long position, long prev, JsonNode event) {
		this.disorders += (position <= this.lastOfConnection) ? 1 : 0;
		this.lastOfConnection = position;
		if (position <= this.last) {
			this.repeats++;
			return;
		}
		this.gaps += (prev > this.last) ? 1 : 0;
		this.seen.add(new Seen(position, event.path("id").asString(), event.path("clientId").asString()));
		this.last = position;
	}

	String room() {
		return this.room;
	}

	synchronized List<Seen> seen() {
		return List.copyOf(this.seen);
	}

	synchronized int connections() {
		return this.connections;
	}

	/** Returns how many times the server sent {@code recovered: false}. */
	synchronized int notRecovered() {
		return this.notRecovered;
	}

	/** Returns the number of positions out of order within one connection. */
	synchronized int disorders() {
		return this.disorders;
	}

	/** Returns the number of events whose predecessor was not received. */
	synchronized int gaps() {
		return this.gaps;
	}

	@Override
	public synchronized String toString() {
		return "Subscriber of %s: %,d events in %d connections, %d seen again after a reconnect, %d look-ups"
			.formatted(this.room, this.seen.size(), this.connections, this.repeats, this.gaps);
	}

}
