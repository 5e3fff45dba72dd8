package io.parley.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** One address cannot use all sessions, and sockets without CONNECT get a small share. */
@ProtocolTest(properties = { "chat.limits.connects-per-second=0", "chat.limits.sessions=400",
		"chat.limits.sessions-per-user=0", "chat.limits.exempt-addresses=none" })
class SessionShareTests {

	/** Half of 400. */
	private static final int SESSIONS_OF_ADDRESS = 200;

	/** A fifth of that. */
	private static final int UNCONNECTED_OF_ADDRESS = 40;

	private final ChatServer server;

	private final List<Handshake> open = new ArrayList<>();

	SessionShareTests(ChatServer server) {
		this.server = server;
	}

	@AfterEach
	void closeAll() {
		this.open.forEach(Handshake::close);
		this.open.clear();
	}

	private Handshake handshake(String from) {
		Handshake handshake = Handshake.from(from, this.server);
		this.open.add(handshake);
		return handshake;
	}

	/** A socket counts once its session is registered. */
	private Handshake registered(String from) {
		Handshake handshake = handshake(from);
		if (handshake.status() == 101) {
			handshake.awaitRegistered();
		}
		return handshake;
	}

	private void awaitPlace(String from) {
		atOnce().until(() -> handshake(from).status() == 101);
	}

	/** Polls quickly, because hundreds of sockets are opened and waiting is rare. */
	private static ConditionFactory atOnce() {
		return Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(10));
	}

	@Test
	void socketsWithoutConnectGetASmallShare() {
		// When the server is full, sockets of an earlier test are still closing.
		atOnce().until(() -> registered("127.0.5.4").body().contains("of one address wait for CONNECT"));
		assertThat(this.open).filteredOn((one) -> one.status() == 101).hasSize(UNCONNECTED_OF_ADDRESS);
	}

	@Test
	void closedSocketsFreeTheirShare() {
		for (int round = 0; round < 3; round++) {
			for (int i = 0; i < UNCONNECTED_OF_ADDRESS; i++) {
				awaitPlace("127.0.5.6");
			}
			closeAll();
		}
	}

	@Test
	void limitsTheSessionsOfAnAddress() throws IOException {
		List<String> names = List.of("walter", "wanda");
		for (int i = 0; i < SESSIONS_OF_ADDRESS; i++) {
			String user = names.get(i % names.size());
			awaitPlace("127.0.5.7");
			this.open.getLast()
				.text(Frame.encode("CONNECT",
						Map.of("accept-version", "1.2", "passcode", this.server.user(user).token()), ""));
		}
		atOnce().until(() -> handshake("127.0.5.7").body().contains("sessions of one address"));
		assertThat(handshake("127.0.5.8").status()).isEqualTo(101);
	}

	@Test
	void limitsTheBytesOfASocketWithoutConnect() {
		try (StompConnection stranger = this.server.openWhenFree()) {
			String frame = "x".repeat(4_000);
			boolean taken = true;
			for (int i = 0; i < 10 && taken; i++) {
				taken = stranger.offer(frame);
			}
			assertThat(stranger.expectClosed()).isIn(1009, 1006);
		}
	}

}
