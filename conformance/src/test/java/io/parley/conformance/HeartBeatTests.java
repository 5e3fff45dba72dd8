package io.parley.conformance;

import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.StrictServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The server sends two heart-beats per second here. */
@StrictServer
class HeartBeatTests {

	private final ChatServer server;

	HeartBeatTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void isSentToClientsThatRequestIt() {
		try (StompConnection connection = connect("0,1000")) {
			Frame connected = connection.expect((frame) -> frame.is("CONNECTED"));
			assertThat(connected.header("heart-beat")).isEqualTo("500,500");
			Awaitility.await().until(() -> connection.frames().stream().filter((frame) -> frame.is("")).count() >= 2);
		}
	}

	@Test
	void endsASessionThatStopsSendingIt() {
		try (StompConnection connection = connect("500,0")) {
			connection.expect((frame) -> frame.is("CONNECTED"));
			assertThat(connection.expectClosed()).isNotEqualTo(4401);
		}
	}

	private StompConnection connect(String heartBeat) {
		// Before the socket is opened, which has a limited time for CONNECT.
		String token = this.server.user("beating").token();
		StompConnection connection = this.server.openWhenFree();
		connection.send("CONNECT", Map.of("accept-version", "1.2", "heart-beat", heartBeat, "passcode", token), "");
		return connection;
	}

}
