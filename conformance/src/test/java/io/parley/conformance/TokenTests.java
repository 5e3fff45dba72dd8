package io.parley.conformance;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.Handshake;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Access tokens expire after four seconds here. */
@ProtocolTest(properties = "chat.security.jwt.access-ttl=4s")
@Tag("slow")
class TokenTests {

	private static final int TOKEN_EXPIRED = 4401;

	private final ChatServer server;

	TokenTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void closesASessionThatOnlyListensWhenItsTokenExpires() {
		ChatApi api = this.server.user("listener").refresh();
		try (StompConnection listener = connect(api)) {
			listener.subscribe("me", "/user/queue/events");
			assertThat(listener.expectClosed()).isEqualTo(TOKEN_EXPIRED);
			assertThat(listener.closeReason()).isEqualTo("token-expired");
		}
		assertThat(api.get("/api/rooms").expect(401).code()).isEqualTo("unauthorized");
		try (StompConnection late = this.server.openWhenFree()) {
			late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", api.token()), "");
			assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("unauthorized");
		}
	}

	@Test
	void keepsASessionThatRefreshesItsToken() {
		ChatApi first = this.server.user("lasting").refresh();
		try (StompConnection lasting = connect(first); StompConnection twin = connect(first)) {
			lasting.subscribe("me", "/user/queue/events");
			Awaitility.await().pollInterval(Duration.ofSeconds(1)).until(() -> refreshed(lasting) && twin.isClosed());
			assertThat(lasting.isClosed()).isFalse();
			lasting.unsubscribe("me");
			lasting.subscribe("again", "/user/queue/events");
		}
	}

	private boolean refreshed(StompConnection connection) {
		connection.confirmed("SEND", Map.of("destination", "/app/token"),
				"{\"accessToken\":\"" + this.server.user("lasting").refresh().token() + "\"}");
		return true;
	}

	@Test
	void refusesTheTokenOfAnotherUserAndAnInvalidToken() {
		ChatApi other = this.server.user("other").refresh();
		ChatApi own = this.server.user("own").refresh();
		try (StompConnection connection = connect(own)) {
			connection.subscribe("me", "/user/queue/events");
			for (String token : new String[] { other.token(), own.refreshToken(), "nonsense", "" }) {
				assertThat(connection.expectError("/app/token", "{\"accessToken\":\"" + token + "\"}")
					.path("code")
					.asString()).isEqualTo("unauthorized");
			}
			assertThat(connection.expectError("/app/token", "no json").path("code").asString())
				.isEqualTo("bad-message");
			assertThat(connection.expectClosed()).isEqualTo(TOKEN_EXPIRED);
		}
	}

	/** A client that ignores the close frame must not continue to send. */
	@Test
	void ignoresASessionWhoseTokenHasExpired() throws IOException {
		String room = this.server.room("late");
		ChatApi api = this.server.user("late").refresh();
		try (Handshake stubborn = Handshake.with(this.server)) {
			stubborn.text(Frame.encode("CONNECT", Map.of("accept-version", "1.2", "passcode", api.token()), ""));
			stubborn.awaitText("token-expired");
			stubborn.text(Frame.encode("SEND", Map.of("destination", "/app/rooms." + room + ".send"),
					"{\"clientId\":\"c\",\"text\":\"too late\"}"));
			stubborn.awaitClosed();
		}
		assertThat(this.server.user("late").refresh().history(room, ""))
			.noneMatch((event) -> event.path("type").asString().equals("message.posted"));
	}

	private StompConnection connect(ChatApi api) {
		return this.server.openWhenFree().connect(api.token());
	}

}
