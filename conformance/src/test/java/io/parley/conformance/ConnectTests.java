package io.parley.conformance;

import java.util.Map;

import io.parley.events.FeatureLevel;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.Frame;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

@FanOut
@UnlimitedServer
class ConnectTests {

	private final ChatServer server;

	ConnectTests(ChatServer server) {
		this.server = server;
	}

	@Test
	void acceptsTheTokenFromTheAuthorizationHeader() {
		try (StompConnection connection = this.server.connect("anna")) {
			Frame connected = connection.expect((frame) -> frame.is("CONNECTED"));
			assertThat(connected.header("user-name")).isEqualTo("anna");
			assertThat(connected.header("version")).isEqualTo("1.2");
		}
	}

	@Test
	void tellsTheFeatureLevelBeforeAndAfterTheSignIn() {
		assertThat(this.server.anonymous().get("/api/auth/options").expect(200).body().path("featureLevel").asInt())
			.isEqualTo(FeatureLevel.CURRENT);
		try (StompConnection connection = this.server.connect("anna")) {
			assertThat(connection.expect((frame) -> frame.is("CONNECTED")).header("server"))
				.isEqualTo("parley/" + FeatureLevel.CURRENT);
		}
	}

	@Test
	void acceptsTheTokenAsPasscode() {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.send("STOMP",
					Map.of("accept-version", "1.2", "login", "anyone", "passcode", this.server.user("anna").token()),
					"");
			assertThat(connection.expect((frame) -> frame.is("CONNECTED")).header("user-name")).isEqualTo("anna");
		}
	}

	@ParameterizedTest
	@CsvSource({ "1.0,1.0", "1.1,1.1", "1.2,1.2", "'1.0,1.1',1.1", "'1.2,1.1,1.0',1.2", "'1.2,2.0',1.2" })
	void negotiatesTheNewestCommonVersion(String offered, String agreed) {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.text("CONNECT\naccept-version:" + offered + "\nAuthorization:Bearer "
					+ this.server.user("anna").token() + "\n\n\0");
			assertThat(connection.expect((frame) -> !frame.is("")).header("version")).isEqualTo(agreed);
		}
	}

	@Test
	void usesVersionOneZeroWithClientsThatOfferNone() {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.text("CONNECT\npasscode:" + this.server.user("anna").token() + "\n\n\0");
			assertThat(connection.expect((frame) -> !frame.is("")).header("version")).isEqualTo("1.0");
		}
	}

	@Test
	void refusesAnUnknownVersion() {
		refused("CONNECT\naccept-version:3.0\npasscode:" + this.server.user("anna").token() + "\n\n\0", "bad-frame");
	}

	@Test
	void refusesAMissingToken() {
		refused("CONNECT\naccept-version:1.2\n\n\0", "unauthorized");
	}

	@ParameterizedTest
	@ValueSource(strings = { "Bearer nonsense", "Bearer a.b.c", "Basic YWxpY2U6ZGVtbw==", "Bearer ",
			"Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhbm5hIiwidXNlIjoiYWNjZXNzIn0." })
	void refusesABadToken(String authorization) {
		refused("CONNECT\naccept-version:1.2\nAuthorization:" + authorization + "\n\n\0", "unauthorized");
	}

	@Test
	void refusesATokenWhoseSignatureWasChanged() {
		String token = this.server.user("anna").token();
		char last = token.charAt(token.length() - 10);
		String forged = token.substring(0, token.length() - 10) + ((last == 'A') ? 'B' : 'A')
				+ token.substring(token.length() - 9);
		refused("CONNECT\naccept-version:1.2\nAuthorization:Bearer " + forged + "\n\n\0", "unauthorized");
	}

	@Test
	void refusesARefreshToken() {
		refused("CONNECT\naccept-version:1.2\nAuthorization:Bearer " + this.server.user("anna").refreshToken()
				+ "\n\n\0", "unauthorized");
	}

	private void refused(String connect, String code) {
		try (StompConnection connection = StompConnection.open(this.server)) {
			connection.text(connect);
			Frame error = connection.expect((frame) -> frame.is("ERROR"));
			assertThat(error.json().path("code").asString()).isEqualTo(code);
			assertThat(error.header("message")).isEqualTo(code);
			assertThat(error.body()).doesNotContain("Exception", "io.parley", "springframework");
			connection.expectClosed();
		}
	}

}
