package io.parley.server.testing;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import org.springframework.core.env.Environment;

/** The server under test, as its clients see it. */
public final class ChatServer {

	private final Environment environment;

	/** Each user signs in once. */
	private final Map<String, ChatApi> users = new ConcurrentHashMap<>();

	private final AtomicInteger rooms = new AtomicInteger();

	ChatServer(Environment environment) {
		this.environment = environment;
	}

	public int port() {
		return this.environment.getRequiredProperty("local.server.port", Integer.class);
	}

	public URI http(String path) {
		return URI.create("http://127.0.0.1:" + port() + path);
	}

	URI webSocket() {
		return URI.create("ws://127.0.0.1:" + port() + "/ws");
	}

	/** Returns the API without a token. */
	public ChatApi anonymous() {
		return new ChatApi(this, "nobody", "");
	}

	/**
	 * Returns the API for a user, who is registered on the first call unless the account
	 * exists.
	 */
	public ChatApi user(String name) {
		return this.users.computeIfAbsent(name, (user) -> {
			anonymous().registerIfAbsent(user);
			return anonymous().login(user);
		});
	}

	/** Opens a session of a user. */
	public StompConnection connect(String user) {
		return StompConnection.open(this).connect(user(user).token());
	}

	/** Opens a socket, retrying until the server accepts it. */
	public StompConnection openWhenFree() {
		return Awaitility.await()
			.pollDelay(Duration.ZERO)
			.ignoreExceptions()
			.until(() -> StompConnection.open(this), (opened) -> true);
	}

	/**
	 * Opens a session of a user that has subscribed to the user's own events as {@code
	 * me}.
	 */
	public StompConnection connectWithEvents(String user) {
		StompConnection connection = connect(user);
		connection.subscribe("me", "/user/queue/events");
		return connection;
	}

	/** Creates a group with these users; the first one is its creator. */
	public String room(String creator, String... members) {
		for (String member : members) {
			user(member);
		}
		return user(creator).openGroup("Room " + this.rooms.incrementAndGet(), members);
	}

	/** Creates an open channel with these users; the first one is its creator. */
	public String channel(String creator, String... members) {
		for (String member : members) {
			user(member);
		}
		return user(creator).openChannel("Channel " + this.rooms.incrementAndGet(), members);
	}

}
