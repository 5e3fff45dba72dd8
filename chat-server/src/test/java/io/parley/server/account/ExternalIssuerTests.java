package io.parley.server.account;

import java.time.Instant;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jwt.JWTClaimsSet;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TestIssuer;
import io.parley.server.testing.UnlimitedServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** Users of external issuers, over REST and STOMP. */
@UnlimitedServer
class ExternalIssuerTests {

	private static final int SIGNED_OUT = 4403;

	private static final String HOST = "the-host-application";

	private static final String SECRET = "a secret that the host application has";

	private static final TestIssuer ISSUER = TestIssuer.start();

	private static final TestIssuer OTHER = TestIssuer.start(TestIssuer.newKey(ISSUER.key().getKeyID()));

	private final ChatServer server;

	private final JdbcTemplate database;

	ExternalIssuerTests(ChatServer server, JdbcTemplate database) {
		this.server = server;
		this.database = database;
	}

	@DynamicPropertySource
	static void issuers(DynamicPropertyRegistry registry) {
		add(registry, ISSUER.settings(0));
		add(registry, "chat.security.issuers[0].name=Our company", "chat.security.issuers[0].client-id=parley-page");
		add(registry, OTHER.settings(1));
		add(registry, "chat.security.issuers[2].issuer=" + HOST, "chat.security.issuers[2].secret=" + SECRET,
				"chat.security.issuers[2].previous-secret=the secret of the host application before",
				"chat.security.issuers[2].previous-secret-until=2000-01-31T12:00:00Z",
				"chat.security.issuers[2].audience=" + TestIssuer.AUDIENCE);
	}

	private static void add(DynamicPropertyRegistry registry, String... settings) {
		for (String setting : settings) {
			String[] parts = setting.split("=", 2);
			registry.add(parts[0], () -> parts[1]);
		}
	}

	@AfterAll
	static void stop() {
		ISSUER.close();
		OTHER.close();
	}

	private ChatApi with(String token) {
		return new ChatApi(this.server, "external", token);
	}

	private static Consumer<JWTClaimsSet.Builder> named(String name) {
		return (claims) -> claims.claim("preferred_username", name);
	}

	private String userOf(String token) {
		return with(token).get("/api/me").expect(200).body().path("username").asString();
	}

	private String refusal(String token) {
		try (StompConnection session = StompConnection.open(this.server)) {
			session.send("CONNECT", Map.of("accept-version", "1.2", "passcode", token), "");
			return session.expect((frame) -> frame.is("ERROR")).header("message");
		}
	}

	@Test
	void aUserConnectsChatsAndExtendsTheSession() {
		String room = this.server.channel("keeper");
		String token = ISSUER.token("chatter", named("chatter"));
		try (StompConnection session = StompConnection.open(this.server).connect(token)) {
			with(token).join(room, "chatter").expect(201);
			session.subscribe("me", "/user/queue/events");
			session.follow("room", room);
			session.expectReceipt(session.say(room, "c1", "hello"));
			assertThat(session.expectMessage("room", "c1").path("sender").asString()).isEqualTo("chatter");
			session.confirmed("SEND", Map.of("destination", "/app/token"),
					"{\"accessToken\":\"" + ISSUER.token("chatter") + "\"}");
			for (String other : List.of(ISSUER.token("somebody"), OTHER.token("chatter"),
					this.server.user("keeper").token(), "nonsense")) {
				assertThat(session.expectError("/app/token", "{\"accessToken\":\"" + other + "\"}")
					.path("code")
					.asString()).isEqualTo("unauthorized");
			}
		}
	}

	@Test
	void aHostApplicationSignsWithASecret() {
		String token = TestIssuer.sign(TestIssuer.secret(SECRET), JWSAlgorithm.HS256,
				TestIssuer.claims(HOST, "user-17", named("hosted")));
		try (StompConnection session = StompConnection.open(this.server).connect(token)) {
			assertThat(userOf(token)).isEqualTo("hosted");
		}
	}

	@Test
	void theSameTokenIsRefusedByEveryWayIn() {
		String right = ISSUER.token("victim", named("victim"));
		assertThat(userOf(right)).isEqualTo("victim");
		JWTClaimsSet claims = TestIssuer.claims(ISSUER.name(), "victim", named("victim"));
		try (StompConnection session = StompConnection.open(this.server).connect(right)) {
			session.subscribe("me", "/user/queue/events");
			for (String wrong : List.of(TestIssuer.sign(OTHER.key(), JWSAlgorithm.RS256, claims),
					TestIssuer.sign(TestIssuer.secret(SECRET), JWSAlgorithm.HS256, claims),
					ISSUER.token("victim", (change) -> change.audience("another")),
					ISSUER.token("victim", (change) -> change.issuer("parley")),
					ISSUER.token("victim", (change) -> change.issuer("https://elsewhere.example.org")),
					ISSUER.token("victim", (change) -> change.issuer(null)),
					ISSUER.token("victim", (change) -> change.expirationTime(null)))) {
				assertThat(with(wrong).get("/api/me").expect(401).code()).isEqualTo("unauthorized");
				assertThat(refusal(wrong)).isEqualTo("unauthorized");
				assertThat(session.expectError("/app/token", "{\"accessToken\":\"" + wrong + "\"}")
					.path("code")
					.asString()).isEqualTo("unauthorized");
			}
			assertThat(with(right).refreshWith(right).expect(401).code()).isEqualTo("unauthorized");
		}
	}

	@Test
	void aKeyOfAnotherIssuerWithTheSameIdOpensNothing() {
		assertThat(OTHER.key().getKeyID()).isEqualTo(ISSUER.key().getKeyID());
		String one = userOf(ISSUER.token("same-subject", named("same-subject")));
		String two = userOf(OTHER.token("same-subject", named("same-subject")));
		assertThat(two).isNotEqualTo(one);
	}

	@Test
	void aUserNeverGetsAnAccountThatExisted() {
		this.server.user("local-anna");
		String user = userOf(ISSUER.token("anna-of-the-issuer", (claims) -> {
			named("local-anna").accept(claims);
			claims.claim("email", "local-anna@example.org").claim("email_verified", true);
		}));
		assertThat(user).isEqualTo("local-anna-2");
		assertThat(userOf(ISSUER.token("anna-of-the-issuer", named("renamed")))).isEqualTo("local-anna-2");
		assertThat(userOf(ISSUER.token("local-anna"))).isEqualTo("local-anna-3");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "李雷", "a b/c", "\u202Eabc", "anonymousUser", "a\nb" })
	void namesThatAreNotValidAreReplaced(String wish) {
		String subject = UUID.randomUUID().toString();
		assertThat(userOf(ISSUER.token(subject, named(wish)))).matches(AuthController.NAME);
		assertThat(userOf(ISSUER.token(subject, named("x".repeat(300))))).matches(AuthController.NAME);
	}

	@Test
	void twoHundredFirstConnectsMakeOneAccount() throws Exception {
		List<String> users = Parallel.run(200, (i) -> {
			String token = ISSUER.token("rush", named("rush"));
			try (StompConnection session = StompConnection.open(this.server).connect(token)) {
				return userOf(token);
			}
		});
		assertThat(new HashSet<>(users)).containsExactly("rush");
		assertThat(
				this.database.queryForObject("SELECT COUNT(*) FROM account WHERE username LIKE 'rush%'", Integer.class))
			.isEqualTo(1);
	}

	@Test
	void manyUsersWhoWishTheSameNameGetTheirOwn() throws Exception {
		List<String> users = Parallel.run(30, (i) -> userOf(ISSUER.token("popular-" + i, named("popular"))));
		assertThat(new HashSet<>(users)).hasSize(30).contains("popular", "popular-2");
	}

	@Test
	void nobodySignsInLocallyWithSuchAnAccount() {
		String user = userOf(ISSUER.token("no-password", named("no-password")));
		String unknown = login("never-seen-" + UUID.randomUUID().toString().substring(0, 8), ChatApi.PASSWORD);
		for (String password : List.of("", "demo", ChatApi.PASSWORD, "no-password")) {
			assertThat(login(user, password)).isEqualTo(unknown);
		}
		assertThat(this.server.anonymous()
			.post("/api/auth/register", Map.of("username", user, "password", ChatApi.PASSWORD))
			.expect(409)
			.code()).isEqualTo("username-taken");
	}

	@Test
	void nobodyMakesALinkToSetAPasswordOfSuchAnAccount() {
		String user = userOf(ISSUER.token("no-link", named("no-link")));
		ChatApi.Answer refused = this.server.user("olga")
			.post("/api/operator/users/" + user + "/reset", Map.of())
			.expect(400);
		assertThat(refused.code()).isEqualTo("bad-request");
		assertThat(refused.body().path("detail").asString()).contains("external issuer");
		assertThat(this.database.queryForObject("SELECT COUNT(*) FROM password_reset WHERE username = ?", Integer.class,
				user))
			.isZero();
	}

	private String login(String user, String password) {
		return this.server.anonymous()
			.post("/api/auth/login", Map.of("username", user, "password", password))
			.expect(401)
			.response()
			.body();
	}

	@Test
	void aDisabledUserStaysOutWhateverTheIssuerSays() {
		String user = userOf(ISSUER.token("bad", named("bad")));
		try (StompConnection session = StompConnection.open(this.server).connect(ISSUER.token("bad"))) {
			change(user, "disabled");
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		String fresh = ISSUER.token("bad", (claims) -> claims.issueTime(Date.from(Instant.now().plusSeconds(20))));
		assertThat(with(fresh).get("/api/me").expect(401).code()).isEqualTo("signed-out");
		assertThat(refusal(fresh)).isEqualTo("signed-out");
		change(user, "suspended");
		await().untilAsserted(() -> with(fresh).get("/api/me").expect(200));
		assertThat(with(fresh).post("/api/rooms", Map.of("name", "no", "kind", "group")).expect(403).code())
			.isEqualTo("suspended");
	}

	private void change(String user, String state) {
		this.server.user("olga").patch("/api/operator/users/" + user, Map.of("state", state)).expect(200);
	}

	@Test
	void logoutEndsTheSignInOnly() {
		Consumer<JWTClaimsSet.Builder> phone = (claims) -> claims.claim("sid", "phone");
		String first = ISSUER.token("leaver", phone.andThen(named("leaver")));
		String laptop = ISSUER.token("leaver", (claims) -> claims.claim("sid", "laptop"));
		try (StompConnection session = StompConnection.open(this.server).connect(ISSUER.token("leaver", phone));
				StompConnection stays = StompConnection.open(this.server).connect(laptop)) {
			assertThat(with(first).get("/api/me/sign-ins").expect(200).body()).isEmpty();
			with(first).post("/api/auth/logout", Map.of()).expect(204);
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(with(first).get("/api/me").expect(401).code()).isEqualTo("signed-out");
			assertThat(refusal(ISSUER.token("leaver", phone))).isEqualTo("signed-out");
			assertThat(with(laptop).get("/api/me").status()).isEqualTo(200);
			assertThat(stays.isClosed()).isFalse();
		}
		// The user signs in again, and the session at the issuer is the same.
		String again = ISSUER.token("leaver",
				phone.andThen((claims) -> claims.issueTime(Date.from(Instant.now().plusSeconds(2)))));
		with(again).get("/api/me").expect(200);
	}

	@Test
	void logoutEndsATokenWithoutASession() {
		String token = ISSUER.token("plain", named("plain"));
		String numbered = ISSUER.token("plain", (claims) -> claims.jwtID("1"));
		with(token).post("/api/auth/logout", Map.of()).expect(204);
		assertThat(with(token).get("/api/me").expect(401).code()).isEqualTo("signed-out");
		with(numbered).post("/api/auth/logout", Map.of()).expect(204);
		assertThat(with(numbered).get("/api/me").expect(401).code()).isEqualTo("signed-out");
		with(ISSUER.token("plain", (claims) -> claims.jwtID("2"))).get("/api/me").expect(200);
	}

	@Test
	void endingAllOthersKeepsTheOwnSignIn() {
		String own = ISSUER.token("tidy", named("tidy").andThen((claims) -> claims.claim("sid", "own")));
		String old = ISSUER.token("tidy", (claims) -> claims.claim("sid", "old"));
		try (StompConnection mine = StompConnection.open(this.server).connect(own);
				StompConnection other = StompConnection.open(this.server).connect(old)) {
			with(own).delete("/api/me/sign-ins").expect(204);
			assertThat(other.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(with(old).get("/api/me").expect(401).code()).isEqualTo("signed-out");
			with(own).get("/api/me").expect(200);
			assertThat(mine.isClosed()).isFalse();
		}
		assertThat(with(own).delete("/api/me/sign-ins/unknown").expect(404).code()).isEqualTo("not-found");
	}

	@Test
	void anOperatorEndsAllTokensIssuedBefore() {
		Consumer<JWTClaimsSet.Builder> session = (claims) -> claims.claim("sid", "s");
		String before = ISSUER.token("ended", named("ended").andThen(session));
		try (StompConnection live = StompConnection.open(this.server).connect(before)) {
			this.server.user("olga").delete("/api/operator/users/ended/sign-ins").expect(204);
			assertThat(live.expectClosed()).isEqualTo(SIGNED_OUT);
		}
		assertThat(with(before).get("/api/me").expect(401).code()).isEqualTo("signed-out");
		String after = ISSUER.token("ended",
				session.andThen((claims) -> claims.issueTime(Date.from(Instant.now().plusSeconds(2)))));
		try (StompConnection live = StompConnection.open(this.server).connect(after)) {
			// Tokens that were ended before stay ended, although the sign-in is the same.
			with(after).delete("/api/me/sign-ins").expect(204);
			with(after).get("/api/me").expect(200);
			assertThat(live.isClosed()).isFalse();
		}
		assertThat(with(before).get("/api/me").expect(401).code()).isEqualTo("signed-out");
	}

	@Test
	void aStolenSessionSetsNoPassword() {
		String token = ISSUER.token("calm", named("calm"));
		assertThat(with(token).put("/api/me/password", Map.of("current", "", "password", ChatApi.PASSWORD)).status())
			.isEqualTo(403);
	}

	@Test
	void theOptionsListWhatThePageCanUse() {
		JsonNode options = this.server.anonymous().get("/api/auth/options").expect(200).body();
		assertThat(options.path("localSignIn").asBoolean()).isTrue();
		assertThat(options.path("registration").asString()).isEqualTo("open");
		assertThat(options.path("issuers")).hasSize(1);
		JsonNode issuer = options.path("issuers").get(0);
		assertThat(issuer.propertyNames()).containsExactlyInAnyOrder("name", "issuer", "clientId", "scope",
				"authorizationEndpoint", "tokenEndpoint");
		assertThat(issuer.path("name").asString()).isEqualTo("Our company");
		assertThat(issuer.path("issuer").asString()).isEqualTo(ISSUER.name());
		assertThat(issuer.path("clientId").asString()).isEqualTo("parley-page");
		assertThat(issuer.path("scope").asString()).isEqualTo("openid profile");
		assertThat(issuer.path("tokenEndpoint").isNull()).isTrue();
		String policy = this.server.anonymous()
			.get("/api/auth/options")
			.response()
			.headers()
			.firstValue("Content-Security-Policy")
			.orElse("");
		assertThat(policy).contains("connect-src 'self' " + ISSUER.name() + ";");
	}

	@Test
	void localUsersSignInAsBefore() {
		ChatApi local = this.server.user("plain-local");
		local.refresh().get("/api/me").expect(200);
	}

}
