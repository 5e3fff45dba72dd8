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
 * The broker goes away and comes back at its other address. What is left to the
 * subclasses is what becomes of the sessions.
 */
abstract class RelayOutage {

	final ChatServer server;

	private final MeterRegistry meters;

	RelayOutage(ChatServer server, MeterRegistry meters) {
		this.server = server;
		this.meters = meters;
	}

	/** A member of a room who hears what is said there, as the broker brings it. */
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

	/** How many frames the server had to deliver itself. */
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
