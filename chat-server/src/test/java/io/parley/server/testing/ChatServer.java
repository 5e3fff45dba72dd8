package io.parley.server.testing;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import org.awaitility.Awaitility;

import org.springframework.core.env.Environment;
import org.springframework.mock.env.MockEnvironment;

/** The server under test, as its clients see it. */
public final class ChatServer {

	private final Environment environment;

	/** Less than the lifetime of an access token, with time for a long test. */
	private static final Duration SIGN_IN_AGAIN = Duration.ofMinutes(5);

	private final Map<String, SignedIn> users = new ConcurrentHashMap<>();

	private final AtomicInteger rooms = new AtomicInteger();

	private record SignedIn(ChatApi api, long nanos) {

		boolean isNew() {
			return System.nanoTime() - this.nanos < SIGN_IN_AGAIN.toNanos();
		}

	}

	ChatServer(Environment environment) {
		this.environment = environment;
	}

	/** Returns the server on a port of this machine, whatever started it. */
	public static ChatServer at(int port) {
		return new ChatServer(new MockEnvironment().withProperty("local.server.port", String.valueOf(port)));
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
	 * exists. A sign-in is used for some minutes.
	 */
	public ChatApi user(String name) {
		return this.users.compute(name, (user, known) -> {
			if (known != null && known.isNew()) {
				return known;
			}
			if (known == null) {
				anonymous().registerIfAbsent(user);
			}
			return new SignedIn(anonymous().login(user), System.nanoTime());
		}).api();
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
