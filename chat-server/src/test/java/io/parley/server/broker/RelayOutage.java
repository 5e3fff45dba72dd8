package io.parley.server.broker;

import java.net.HttpURLConnection;
import java.util.List;

import io.micrometer.core.instrument.MeterRegistry;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.StompConnection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Stops the broker and restarts it at its other address. The subclasses check what
 * happens to the sessions.
 */
abstract class RelayOutage {

	final ChatServer server;

	private final MeterRegistry meters;

	RelayOutage(ChatServer server, MeterRegistry meters) {
		this.server = server;
		this.meters = meters;
	}

	/**
	 * Connects a member and subscribes to the messages of the room after a position, once
	 * the broker accepts it.
	 */
	StompConnection listener(String user, String room, long after) {
		StompConnection connection = await().ignoreExceptions()
			.until(() -> this.server.connect(user), (opened) -> true);
		connection.follow("r", room, after);
		return connection;
	}

	void awaitRefused() {
		await().untilAsserted(() -> {
			try (Handshake handshake = Handshake.with(this.server)) {
				assertThat(handshake.status()).isEqualTo(HttpURLConnection.HTTP_UNAVAILABLE);
				assertThat(handshake.header("retry-after")).isEqualTo("5");
			}
		});
	}

	/** Returns how many frames the server has delivered without the broker. */
	double late() {
		return this.meters.counter("chat.relay.late").count();
	}

	static List<String> said(StompConnection connection) {
		return connection.events("r")
			.stream()
			.filter((event) -> event.has("text"))
			.map((event) -> event.path("text").asString())
			.toList();
	}

}
