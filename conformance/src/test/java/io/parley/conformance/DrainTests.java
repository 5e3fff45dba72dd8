package io.parley.conformance;

import java.net.http.WebSocketHandshakeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import io.parley.server.testing.ChatServer;
import io.parley.server.testing.RestartableServer;
import io.parley.server.testing.StompConnection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** A server that stops closes its sessions one after the other. */
class DrainTests {

	/** One is closed each second. */
	private static final int SESSIONS = 12;

	private final RestartableServer restartable = new RestartableServer("chat.session.drain-rate=1");

	private final ChatServer server = this.restartable.server();

	private final String room = this.server.room("anna");

	private final List<StompConnection> sessions = new ArrayList<>();

	@AfterEach
	void stop() {
		this.sessions.forEach(StompConnection::abort);
		this.restartable.close();
	}

	@Test
	void thoseThatWaitChatOnAndNewOnesAreRefused() {
		for (int i = 0; i < SESSIONS; i++) {
			StompConnection session = this.server.connect("anna");
			session.follow("s", this.room);
			this.sessions.add(session);
		}
		CompletableFuture<Void> restart = CompletableFuture.runAsync(this.restartable::restart,
				Thread.ofPlatform()::start);
		await().until(() -> open().count() < SESSIONS);
		assertThatThrownBy(() -> StompConnection.open(this.server)).cause()
			.isInstanceOfSatisfying(WebSocketHandshakeException.class,
					(refused) -> assertThat(refused.getResponse().statusCode()).isEqualTo(503));
		String sent = chat();
		restart.join();
		assertThat(this.sessions).extracting(StompConnection::expectClosed).containsOnly(1001);
		assertThat(this.restartable.server().user("anna").history(this.room, ""))
			.filteredOn((event) -> event.path("clientId").asString("").equals(sent))
			.hasSize(1);
	}

	private Stream<StompConnection> open() {
		return this.sessions.stream().filter((session) -> !session.isClosed());
	}

	/**
	 * Sends a message from one open session to another, and tries others if they are
	 * closed meanwhile.
	 * @return the id of the message
	 */
	private String chat() {
		for (int i = 0; i < SESSIONS; i++) {
			List<StompConnection> open = open().toList();
			assertThat(open).as("open sessions").hasSizeGreaterThan(1);
			String clientId = "c" + i;
			try {
				open.getFirst().expectReceipt(open.getFirst().say(this.room, clientId, "text"));
				open.getLast().expectMessage("s", clientId);
				return clientId;
			}
			catch (AssertionError ex) {
				assertThat(open).as("sessions without the message").anyMatch(StompConnection::isClosed);
			}
		}
		throw new AssertionError("No two sessions stayed open");
	}

}
