package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.stream.Stream;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TestIssuer;
import io.parley.server.testing.TwoServers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Users of an external issuer on two servers that share a database. */
@Tag("exhaustive")
class TwoServersIssuerTests {

	private static final int SIGNED_OUT = 4403;

	/**
	 * Leaves time for a busy machine, and ends long before the caches of the server
	 * expire.
	 */
	private static final Duration SOON = Duration.ofSeconds(10);

	private static TestIssuer issuer;

	private static TwoServers servers;

	@BeforeAll
	static void start() {
		issuer = TestIssuer.start();
		servers = TwoServers.onBus(issuer.settings(0));
	}

	@AfterAll
	static void stop() {
		servers.close();
		issuer.close();
	}

	private static String token(String user) {
		return issuer.token(user, (claims) -> claims.claim("preferred_username", user).claim("sid", "of-" + user));
	}

	private static ChatApi on(ChatServer server, String token) {
		return new ChatApi(server, "external", token);
	}

	private static void refusedOn(ChatServer server, String token) {
		await().atMost(SOON)
			.untilAsserted(
					() -> assertThat(on(server, token).get("/api/me").expect(401).code()).isEqualTo("signed-out"));
		try (StompConnection late = StompConnection.open(server)) {
			late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", token), "");
			assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("signed-out");
		}
	}

	@Test
	void firstSightOnBothAtOnceIsOneAccount() {
		for (int i = 0; i < 20; i++) {
			String token = token("both-" + i);
			assertThat(Stream.of(servers.one(), servers.two())
				.parallel()
				.map((server) -> on(server, token).get("/api/me").expect(200).body().path("username").asString())
				.distinct()).containsExactly("both-" + i);
		}
	}

	@Test
	void logoutEndsTheSignInOnTheOtherServer() {
		String token = token("anna");
		try (StompConnection session = StompConnection.open(servers.two()).connect(token)) {
			long start = System.nanoTime();
			on(servers.one(), token).post("/api/auth/logout", Map.of()).expect(204);
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(SOON);
		}
		refusedOn(servers.one(), token);
		refusedOn(servers.two(), token);
	}

	@Test
	void anOperatorEndsAllSignInsOnBothServers() {
		String token = token("bert");
		try (StompConnection session = StompConnection.open(servers.two()).connect(token)) {
			servers.one().user("olga").delete("/api/operator/users/bert/sign-ins").expect(204);
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		refusedOn(servers.two(), token);
		String later = issuer.token("bert",
				(claims) -> claims.claim("sid", "of-bert").issueTime(Date.from(Instant.now().plusSeconds(2))));
		on(servers.two(), later).get("/api/me").expect(200);
	}

	@Test
	void aServerThatStartsAfterwardsRefusesTheToken() {
		String token = token("cleo");
		on(servers.two(), token).get("/api/me").expect(200);
		on(servers.one(), token).post("/api/auth/logout", Map.of()).expect(204);
		servers.restart(1);
		refusedOn(servers.two(), token);
	}

}
