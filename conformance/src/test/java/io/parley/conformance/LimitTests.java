package io.parley.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.StrictServer;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

@StrictServer
class LimitTests {

	private final ChatServer server;

	private final List<AutoCloseable> open = new ArrayList<>();

	LimitTests(ChatServer server) {
		this.server = server;
	}

	@AfterEach
	void closeAll() throws Exception {
		for (AutoCloseable one : this.open) {
			one.close();
		}
		// The sockets of this test must not fill the server for the next one.
		Awaitility.await().pollDelay(Duration.ofMillis(100)).pollInterval(Duration.ofSeconds(1)).until(this::hasPlace);
	}

	private boolean hasPlace() {
		List<Handshake> all = new ArrayList<>();
		for (int i = 0; i < 4; i++) {
			all.add(Handshake.with(this.server));
		}
		all.forEach(Handshake::close);
		return all.stream().allMatch((one) -> one.status() == 101);
	}

	@Test
	void aUserWhoSendsTooFastIsToldSo() {
		try (StompConnection fast = fresh("fast")) {
			fast.subscribe("me", "/user/queue/events");
			String room = this.server.user("fast").openGroup("Fast");
			for (int i = 0; i < 12; i++) {
				fast.say(room, "c" + i, "text");
			}
			var error = fast.expectEvent("me", (event) -> event.path("type").asString().equals("error"));
			assertThat(error.path("code").asString()).isEqualTo("rate-limited");
			fast.expectEvent("me", (event) -> event.path("type").asString().equals("accepted"));
			ChatApi.Answer answer = this.server.user("fast")
				.post("/api/rooms/" + room + "/messages", Map.of("clientId", "rest", "text", "hi"));
			if (answer.status() != 202) {
				assertThat(answer.expect(429).code()).isEqualTo("rate-limited");
				assertThat(answer.response().headers().firstValue("Retry-After")).isPresent();
			}
		}
	}

	@Test
	void limitsTheSessionsOfAUser() {
		for (int i = 0; i < 3; i++) {
			this.open.add(fresh("many"));
		}
		StompConnection fourth = this.server.openWhenFree();
		this.open.add(fourth);
		fourth.send("CONNECT", Map.of("accept-version", "1.2", "passcode", this.server.user("many").token()), "");
		assertThat(fourth.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("too-many-sessions");
		fourth.expectClosed();
		((StompConnection) this.open.getFirst()).close();
		Awaitility.await().ignoreExceptions().untilAsserted(() -> fresh("many").close());
	}

	@Test
	void limitsTheSubscriptionsOfASession() {
		try (StompConnection one = fresh("subscriber")) {
			String room = this.server.user("subscriber").openGroup("Room");
			one.subscribe("me", "/user/queue/events");
			one.subscribe("a", "/topic/rooms." + room);
			one.subscribe("b", "/topic/rooms." + room + ".signals");
			room = this.server.user("subscriber").openGroup("Another");
			assertThat(one.expectError("SUBSCRIBE", Map.of("id", "c", "destination", "/topic/rooms." + room), "")
				.path("code")
				.asString()).isEqualTo("too-many-subscriptions");
			one.unsubscribe("b");
			one.subscribe("c", "/topic/rooms." + room);
		}
	}

	@Test
	void aFullServerSaysWhenToRetry() {
		Awaitility.await().untilAsserted(() -> {
			Handshake handshake = Handshake.with(this.server);
			this.open.add(handshake);
			assertThat(handshake.status()).isEqualTo(503);
			assertThat(handshake.header("retry-after")).isEqualTo("10");
			assertThat(handshake.body()).contains("\"code\":\"server-busy\"");
		});
	}

	@Test
	void tooManyConnectionsAtOnceAreToldToRetry() {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).untilAsserted(() -> {
			try (Handshake handshake = Handshake.with(this.server)) {
				assertThat(handshake.status()).isEqualTo(503);
				assertThat(handshake.header("retry-after")).isEqualTo("1");
			}
		});
	}

	@Test
	void aSocketThatNeverConnectsIsClosed() throws IOException {
		try (Handshake silent = Awaitility.await().until(this::accepted, Objects::nonNull)) {
			silent.awaitClosed();
		}
	}

	/**
	 * Returns a handshake that the server has accepted, or null if there was no place.
	 */
	private @Nullable Handshake accepted() {
		Handshake handshake = Handshake.with(this.server);
		if (handshake.status() == 101) {
			return handshake;
		}
		handshake.close();
		return null;
	}

	@Test
	void aConfiguredOriginGetsASocketAndOthersDoNot() {
		Awaitility.await().untilAsserted(() -> {
			try (Handshake page = Handshake.with(this.server, "Origin: https://chat.example.org")) {
				assertThat(page.status()).isEqualTo(101);
			}
		});
		Awaitility.await().untilAsserted(() -> {
			try (Handshake page = Handshake.with(this.server, "Origin: https://chat.example.org.evil.example")) {
				assertThat(page.status()).isEqualTo(403);
			}
		});
	}

	private StompConnection fresh(String user) {
		// First, because registration takes longer than a socket may wait for CONNECT
		// here.
		String token = this.server.user(user).token();
		return this.server.openWhenFree().connect(token);
	}

}
