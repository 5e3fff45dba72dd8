package io.parley.server.account;

import java.util.List;
import java.util.Map;

import io.parley.server.issuer.IssuerProperties;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.TestIssuer;
import io.parley.server.testing.TestIssuer.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A server without passwords, whose issuer's key server has never answered. */
@ProtocolTest(properties = { "chat.security.local-sign-in=false", "chat.security.registration=open" })
class LocalSignInOffTests {

	private static final TestIssuer ISSUER = TestIssuer.start();

	private final ChatServer server;

	LocalSignInOffTests(ChatServer server) {
		this.server = server;
	}

	@DynamicPropertySource
	static void issuer(DynamicPropertyRegistry registry) {
		ISSUER.answer(Answer.FAILURE);
		for (String setting : ISSUER.settings(0)) {
			registry.add(setting.split("=", 2)[0], () -> setting.split("=", 2)[1]);
		}
	}

	@AfterAll
	static void stop() {
		ISSUER.close();
	}

	@Test
	void passwordsOpenNothing() {
		Map<String, String> user = Map.of("username", "anna", "password", ChatApi.PASSWORD);
		for (String path : new String[] { "/api/auth/login", "/api/auth/register" }) {
			ChatApi.Answer answer = this.server.anonymous().post(path, user).expect(403);
			assertThat(answer.code()).isEqualTo("not-allowed");
			assertThat(answer.body().path("detail").asString()).contains("/api/auth/options");
		}
		assertThat(this.server.anonymous().refreshWith("x").expect(403).code()).isEqualTo("not-allowed");
		JsonNode options = this.server.anonymous().get("/api/auth/options").expect(200).body();
		assertThat(options.path("localSignIn").asBoolean(true)).isFalse();
		assertThat(options.path("registration").asString()).isEqualTo("closed");
		assertThat(options.path("issuers")).isEmpty();
	}

	@Test
	void anIssuerWhoseKeysWereNeverKnownIsNoReasonToSignInAgain() {
		ChatApi.Answer answer = new ChatApi(this.server, "anna", ISSUER.token("anna")).get("/api/me").expect(503);
		assertThat(answer.code()).isEqualTo("issuer-unavailable");
		assertThat(Integer.parseInt(answer.response().headers().firstValue("Retry-After").orElse(""))).isBetween(1, 30);
		try (var session = this.server.openWhenFree()) {
			session.send("CONNECT", Map.of("accept-version", "1.2", "passcode", ISSUER.token("anna")), "");
			assertThat(session.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("issuer-unavailable");
		}
	}

	@Test
	void nobodyCouldSignInWithoutAnIssuer() {
		assertThatThrownBy(() -> new SignInOptions(new LocalSignInProperties(false),
				new RegistrationProperties(RegistrationProperties.Mode.OPEN), new IssuerProperties(List.of())))
			.isInstanceOf(ImpossibleSettingsException.class)
			.hasMessageContaining("nobody could sign in");
	}

}
