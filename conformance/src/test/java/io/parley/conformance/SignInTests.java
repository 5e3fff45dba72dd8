package io.parley.conformance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import io.parley.server.testing.TestClock;
import io.parley.store.UtcTime;
import io.parley.store.account.AccountRepository;
import io.parley.store.account.SignIn;
import io.parley.store.account.SignInRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A sign-in is one device: its refresh tokens follow each other, and it ends as a whole.
 */
@ProtocolTest(properties = { "chat.limits.sends-per-second=0", "chat.limits.sign-in-failures=0",
		"chat.limits.sessions-per-user=0", "chat.security.sign-ins-per-user=3" })
@Import(TestClock.class)
class SignInTests {

	private static final int SIGNED_OUT = 4403;

	private static final Duration GRACE = Duration.ofSeconds(10);

	private final ChatServer server;

	private final TestClock clock;

	private final SignInRepository repository;

	private final AccountRepository accounts;

	private final JdbcTemplate jdbc;

	SignInTests(ChatServer server, TestClock clock, SignInRepository repository, AccountRepository accounts,
			JdbcTemplate jdbc) {
		this.server = server;
		this.clock = clock;
		this.repository = repository;
		this.accounts = accounts;
		this.jdbc = jdbc;
	}

	private ChatApi register(String name) {
		this.server.anonymous().register(name);
		return this.server.anonymous().login(name);
	}

	@Test
	void aLostAnswerIsGivenAgain() {
		ChatApi first = register("lossy");
		String r0 = first.refreshToken();
		assertThat(generation(refresh(r0))).isEqualTo(2);
		assertThat(generation(refresh(r0))).isEqualTo(2);
		JsonNode third = refresh(r0);
		assertThat(generation(third)).isEqualTo(2);
		JsonNode next = refresh(third.path("refreshToken").asString());
		assertThat(generation(next)).isEqualTo(3);
		assertThat(granted("lossy", next).get("/api/rooms").status()).isEqualTo(200);
		assertThat(reason(first)).isNull();
	}

	@Test
	void aLostAnswerIsGivenAgainWithinTheGrace() {
		ChatApi first = register("late");
		String r0 = first.refreshToken();
		refresh(r0);
		this.clock.forward(GRACE.minusSeconds(3));
		assertThat(generation(refresh(r0))).isEqualTo(2);
	}

	@Test
	void aSpentTokenEndsTheSignInAfterTheGrace() {
		ChatApi first = register("spent");
		String r0 = first.refreshToken();
		JsonNode r1 = refresh(r0);
		this.clock.forward(GRACE.plusSeconds(1));
		refused(r0);
		refused(r1.path("refreshToken").asString());
		assertThat(granted("spent", r1).get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		assertThat(reason(first)).isEqualTo("REUSE");
	}

	@Test
	void aTokenTwoGenerationsOldEndsTheSignInWithinTheGraceToo() {
		ChatApi first = register("older");
		String r1 = first.refreshToken();
		String r2 = refresh(r1).path("refreshToken").asString();
		String r3 = refresh(r2).path("refreshToken").asString();
		refused(r1);
		refused(r3);
		assertThat(reason(first)).isEqualTo("REUSE");
	}

	/** The thief is the first to use the stolen token; the owner notices nothing yet. */
	@Test
	void theOwnerEndsTheSignInOfTheThief() {
		ChatApi owner = register("robbed");
		String stolen = owner.refreshToken();
		ChatApi thief = granted("robbed", refresh(stolen));
		try (StompConnection session = StompConnection.open(this.server).connect(thief.token())) {
			this.clock.forward(Duration.ofMinutes(5));
			refused(stolen);
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(session.closeReason()).isEqualTo("signed-out");
		}
		refused(thief.refreshToken());
		assertThat(thief.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		connectIsRefused(thief, "signed-out");
		// The account is not locked.
		assertThat(this.server.anonymous().login("robbed").get("/api/rooms").status()).isEqualTo(200);
	}

	@Test
	void theThiefIsFoundTooWhenTheOwnerRefreshesFirst() {
		ChatApi owner = register("quick");
		String stolen = owner.refreshToken();
		ChatApi next = owner.refresh();
		this.clock.forward(GRACE.plusSeconds(1));
		refused(stolen);
		refused(next.refreshToken());
	}

	@Test
	void parallelRefreshesLeaveOneGeneration() throws Exception {
		ChatApi first = register("parallel");
		String r0 = first.refreshToken();
		List<Future<ChatApi.Answer>> answers = new ArrayList<>();
		// However long they take, all come within the grace period.
		this.clock.stop();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (int i = 0; i < 50; i++) {
				answers.add(threads.submit(() -> this.server.anonymous().refreshWith(r0)));
			}
		}
		finally {
			this.clock.start();
		}
		Set<Long> generations = new HashSet<>();
		for (Future<ChatApi.Answer> answer : answers) {
			generations.add(generation(answer.get().expect(200).body()));
		}
		assertThat(generations).containsExactly(2L);
		assertThat(this.repository.find(first.signIn()).orElseThrow().getGeneration()).isEqualTo(2);
	}

	@Test
	void accessTokensAreThoseOfRfc9068() {
		ChatApi api = register("standard");
		JsonNode header = part(api.token(), 0);
		assertThat(header.path("typ").asString()).isEqualTo("at+jwt");
		assertThat(header.path("alg").asString()).isEqualTo("RS256");
		JsonNode claims = part(api.token(), 1);
		assertThat(claims.path("iss").asString()).isEqualTo("parley");
		assertThat(claims.path("sub").asString()).isEqualTo("standard");
		assertThat(claims.path("aud").toString()).contains("parley");
		assertThat(claims.path("client_id").asString()).isNotEmpty();
		assertThat(claims.path("jti").asString()).isNotEmpty();
		assertThat(claims.path("exp").asLong() - claims.path("iat").asLong()).isEqualTo(900);
		assertThat(Base64.getUrlDecoder().decode(claims.path("sid").asString())).hasSize(16);
		JsonNode keys = this.server.anonymous().get("/.well-known/jwks.json").expect(200).body().path("keys");
		assertThat(keys).anyMatch((key) -> key.path("kid").equals(header.path("kid")));
		assertThat(keys).allMatch((key) -> !key.has("d") && !key.has("p") && !key.has("q"));
	}

	@Test
	void logoutEndsThisSignInOnly() {
		ChatApi phone = register("leaver");
		ChatApi laptop = this.server.anonymous().login("leaver");
		try (StompConnection onPhone = StompConnection.open(this.server).connect(phone.token());
				StompConnection onLaptop = StompConnection.open(this.server).connect(laptop.token())) {
			phone.post("/api/auth/logout", Map.of()).expect(204);
			assertThat(onPhone.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(phone.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
			assertThat(phone.post("/api/auth/logout", Map.of()).expect(401).code()).isEqualTo("signed-out");
			refused(phone.refreshToken());
			connectIsRefused(phone, "signed-out");
			onLaptop.subscribe("me", "/user/queue/events");
			assertThat(onLaptop.expectError("/app/token", "{\"accessToken\":\"" + phone.token() + "\"}")
				.path("code")
				.asString()).isEqualTo("signed-out");
			assertThat(laptop.refresh().get("/api/rooms").status()).isEqualTo(200);
			assertThat(onLaptop.isClosed()).isFalse();
		}
		assertThat(reason(phone)).isEqualTo("SIGNED_OUT");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "nonsense", "a.b.c" })
	void logoutNeedsAnAccessToken(String token) {
		assertThat(new ChatApi(this.server, "x", token).post("/api/auth/logout", Map.of()).status()).isEqualTo(401);
		assertThat(new ChatApi(this.server, "x", register("user" + token.length()).refreshToken())
			.post("/api/auth/logout", Map.of())
			.status()).isEqualTo(401);
	}

	/** Sessions that are just connecting find out, or are found. */
	@Test
	void noSessionSlipsThroughWhileItsSignInEnds() throws Exception {
		ChatApi phone = register("racer");
		List<StompConnection> sockets = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			sockets.add(StompConnection.open(this.server));
		}
		CountDownLatch start = new CountDownLatch(1);
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			for (StompConnection socket : sockets) {
				threads.submit(() -> {
					start.await();
					return socket.offer("CONNECT\naccept-version:1.2\npasscode:" + phone.token() + "\n\n\0");
				});
			}
			threads.submit(() -> {
				start.await();
				return phone.post("/api/auth/logout", Map.of());
			});
			start.countDown();
		}
		for (StompConnection socket : sockets) {
			// 1002 after an ERROR: the CONNECT came after the end.
			assertThat(socket.expectClosed()).isIn(SIGNED_OUT, 1002);
		}
		assertThat(this.repository.live("racer", this.clock.instant())).isEmpty();
	}

	@Test
	void aSessionBelongsToTheSignInOfItsNewestToken() {
		ChatApi before = register("mover");
		ChatApi after = this.server.anonymous().login("mover");
		try (StompConnection session = StompConnection.open(this.server).connect(before.token())) {
			session.confirmed("SEND", Map.of("destination", "/app/token"),
					"{\"accessToken\":\"" + after.token() + "\"}");
			before.post("/api/auth/logout", Map.of()).expect(204);
			session.subscribe("me", "/user/queue/events");
			after.post("/api/auth/logout", Map.of()).expect(204);
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
		}
	}

	@Test
	void listsTheDevicesAndEndsOneOrAllOthers() {
		ChatApi phone = register("collector");
		ChatApi tablet = loginFrom("collector", "Tablet \u202e in\nthe kitchen");
		ChatApi laptop = loginFrom("collector", "Laptop");
		JsonNode list = laptop.get("/api/me/sign-ins").expect(200).body();
		assertThat(list).extracting((one) -> one.path("id").asString())
			.containsExactlyInAnyOrder(phone.signIn(), tablet.signIn(), laptop.signIn());
		assertThat(list).filteredOn((one) -> one.path("current").asBoolean())
			.extracting((one) -> one.path("id").asString())
			.containsExactly(laptop.signIn());
		assertThat(list).extracting((one) -> one.path("device").asString())
			.contains("Tablet   in the kitchen", "Laptop");
		assertThat(Instant.parse(list.path(0).path("expiresAt").asString()))
			.isAfter(Instant.parse(list.path(0).path("createdAt").asString()).plus(Duration.ofDays(29)));
		assertThat(laptop.delete("/api/me/sign-ins/" + tablet.signIn()).status()).isEqualTo(204);
		assertThat(laptop.delete("/api/me/sign-ins/" + tablet.signIn()).expect(404).code()).isEqualTo("not-found");
		refused(tablet.refreshToken());
		assertThat(phone.get("/api/rooms").status()).isEqualTo(200);
		assertThat(laptop.delete("/api/me/sign-ins").status()).isEqualTo(204);
		assertThat(phone.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
		assertThat(laptop.get("/api/me/sign-ins").expect(200).body()).hasSize(1);
		assertThat(laptop.refresh().get("/api/rooms").status()).isEqualTo(200);
	}

	@ParameterizedTest
	@ValueSource(strings = { "x", "AAAAAAAAAAAAAAAAAAAAAA", "%00", "'%20OR%201=1--", "..%2F..", "%F0%9F%98%80" })
	void noSignInOfOthersAndNoInventedOneCanBeEnded(String id) {
		ChatApi victim = this.server.user("victim");
		ChatApi intruder = this.server.user("intruder");
		assertThat(intruder.delete("/api/me/sign-ins/" + victim.signIn()).expect(404).code()).isEqualTo("not-found");
		assertThat(intruder.delete("/api/me/sign-ins/" + id).status()).isIn(400, 404);
		assertThat(victim.get("/api/me/sign-ins").expect(200).body()).hasSize(1);
		assertThat(this.server.anonymous().get("/api/me/sign-ins").status()).isEqualTo(401);
		assertThat(this.server.anonymous().delete("/api/me/sign-ins").status()).isEqualTo(401);
	}

	@Test
	void theDeviceThatWasUnusedForTheLongestMakesRoom() {
		ChatApi first = register("many");
		ChatApi second = this.server.anonymous().login("many");
		ChatApi third = this.server.anonymous().login("many");
		this.clock.forward(Duration.ofSeconds(1));
		first = first.refresh();
		try (StompConnection session = StompConnection.open(this.server).connect(second.token())) {
			ChatApi fourth = this.server.anonymous().login("many");
			assertThat(session.expectClosed()).isEqualTo(SIGNED_OUT);
			assertThat(reason(second)).isEqualTo("TOO_MANY");
			assertThat(fourth.get("/api/me/sign-ins").expect(200).body()).extracting((one) -> one.path("id").asString())
				.containsExactlyInAnyOrder(first.signIn(), third.signIn(), fourth.signIn());
		}
	}

	@Test
	void manySignInsAtOnceStayWithinTheLimit() throws Exception {
		register("rush");
		List<Future<ChatApi>> signIns = new ArrayList<>();
		try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
			for (int i = 0; i < 12; i++) {
				signIns.add(threads.submit(() -> this.server.anonymous().login("rush")));
			}
		}
		int live = 0;
		for (Future<ChatApi> signIn : signIns) {
			live += (signIn.get().get("/api/rooms").status() == 200) ? 1 : 0;
		}
		assertThat(live).isLessThanOrEqualTo(3);
		assertThat(this.repository.live("rush", this.clock.instant())).hasSize(3);
	}

	@Test
	void anUnusedSignInEnds() {
		ChatApi idle = register("idle");
		this.clock.forward(Duration.ofDays(29));
		idle.refresh();
		this.clock.forward(Duration.ofDays(30).plusSeconds(1));
		assertThat(idle.refreshWith(idle.refreshToken()).status()).isEqualTo(401);
		assertThat(this.server.anonymous().login("idle").get("/api/me/sign-ins").expect(200).body()).hasSize(1);
	}

	@Test
	void nothingOutlivesTheMaximumAgeOfASignIn() {
		ChatApi api = register("ancient");
		Instant end = Instant.parse(api.get("/api/me/sign-ins").body().path(0).path("createdAt").asString())
			.plus(Duration.ofDays(90));
		for (int day = 20; day <= 80; day += 20) {
			this.clock.forward(Duration.ofDays(20));
			api = api.refresh();
		}
		this.clock.forward(Duration.ofDays(10).minusMinutes(5));
		api = api.refresh();
		assertThat(part(api.refreshToken(), 1).path("exp").asLong()).isLessThanOrEqualTo(end.getEpochSecond());
		assertThat(part(api.token(), 1).path("exp").asLong()).isLessThanOrEqualTo(end.getEpochSecond());
		this.clock.forward(Duration.ofMinutes(5).plusSeconds(1));
		assertThat(api.refreshWith(api.refreshToken()).status()).isEqualTo(401);
		assertThat(api.get("/api/rooms").status()).isEqualTo(401);
	}

	/** As after the operator has lowered chat.security.sign-in-max. */
	@Test
	void aSignInAboveTheMaximumAgeEndsWithItsNextRefresh() {
		ChatApi api = register("lowered");
		this.jdbc.update("UPDATE sign_in SET created_at = ? WHERE id = ?",
				UtcTime.of(this.clock.instant().minus(Duration.ofDays(91))), api.signIn());
		refused(api.refreshToken());
		assertThat(reason(api)).isEqualTo("EXPIRED");
		assertThat(api.get("/api/rooms").expect(401).code()).isEqualTo("signed-out");
	}

	/** The password was right when it was checked, but was changed before the sign-in. */
	@Test
	void aSignInThatWasCheckedBeforeAllWereEndedDoesNotBegin() {
		register("changer");
		int checked = this.accounts.findById("changer").orElseThrow().getSignInVersion();
		Instant now = this.clock.instant();
		assertThat(this.repository.endAll("changer", "", "PASSWORD_CHANGED", now)).hasSize(1);
		SignIn late = new SignIn("late-sign-in", "changer", "", now, now.plusSeconds(60));
		assertThat(this.repository.start(late, checked, 50, "TOO_MANY")).isEmpty();
		assertThat(this.repository.live("changer", now)).isEmpty();
		assertThat(this.server.anonymous().login("changer").get("/api/rooms").status()).isEqualTo(200);
	}

	private JsonNode refresh(String refreshToken) {
		return this.server.anonymous().refreshWith(refreshToken).expect(200).body();
	}

	private void refused(String refreshToken) {
		assertThat(this.server.anonymous().refreshWith(refreshToken).expect(401).code()).isEqualTo("signed-out");
	}

	private void connectIsRefused(ChatApi api, String code) {
		try (StompConnection late = StompConnection.open(this.server)) {
			late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", api.token()), "");
			assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo(code);
			late.expectClosed();
		}
	}

	private ChatApi granted(String user, JsonNode grant) {
		return this.server.anonymous().granted(user, grant);
	}

	private ChatApi loginFrom(String user, String device) {
		return granted(user, this.server.anonymous()
			.post("/api/auth/login", Map.of("username", user, "password", ChatApi.PASSWORD, "deviceName", device))
			.expect(200)
			.body());
	}

	private String reason(ChatApi api) {
		return this.jdbc.queryForObject("SELECT reason FROM sign_in WHERE id = ?", String.class, api.signIn());
	}

	private static long generation(JsonNode grant) {
		return part(grant.path("refreshToken").asString(), 1).path("gen").asLong();
	}

	private static JsonNode part(String token, int part) {
		return ChatApi.JSON.readTree(Base64.getUrlDecoder().decode(token.split("\\.")[part]));
	}

}
