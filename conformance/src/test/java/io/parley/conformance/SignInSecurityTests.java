package io.parley.conformance;

import java.io.IOException;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.parley.server.account.AccountService;
import io.parley.server.testing.ChatApi;
import io.parley.server.testing.ChatServer;
import io.parley.server.testing.ProtocolTest;
import io.parley.server.testing.StompConnection;
import io.parley.store.account.AccountRepository;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Only an account and its password let a user in, and no owner is locked out. */
@ProtocolTest(properties = "chat.limits.sessions-per-user=0")
class SignInSecurityTests {

	private static final int FAILURES = 5;

	private final ChatServer server;

	private final AccountRepository repository;

	private final AccountService accounts;

	SignInSecurityTests(ChatServer server, AccountRepository repository, AccountService accounts) {
		this.server = server;
		this.repository = repository;
		this.accounts = accounts;
	}

	@ParameterizedTest
	@ValueSource(strings = { "nobody", "", "demo", "secret", "null", "password", "ghost" })
	void noPasswordOpensAnAccountThatThereIsNot(String password) {
		assertThat(login("127.0.3.1", "ghost", password, null).statusCode()).isIn(401, 429);
	}

	@Test
	void tokensAreWorthNothingWithoutTheirAccount() {
		ChatApi gone = this.server.user("gone");
		try (StompConnection connected = this.server.connect("another")) {
			connected.subscribe("me", "/user/queue/events");
			this.repository.deleteById("gone");
			assertThat(gone.get("/api/rooms").expect(401).code()).isEqualTo("unauthorized");
			assertThat(gone.post("/api/auth/refresh", Map.of("refreshToken", gone.refreshToken())).expect(401).code())
				.isEqualTo("unauthorized");
			assertThat(connected.expectError("/app/token", "{\"accessToken\":\"" + gone.token() + "\"}")
				.path("code")
				.asString()).isEqualTo("unauthorized");
			try (StompConnection late = StompConnection.open(this.server)) {
				late.send("CONNECT", Map.of("accept-version", "1.2", "passcode", gone.token()), "");
				assertThat(late.expect((frame) -> frame.is("ERROR")).header("message")).isEqualTo("unauthorized");
				late.expectClosed();
			}
		}
	}

	@Test
	void aDeviceMarkIsNoToken() {
		ChatApi anna = this.server.user("marked");
		String device = body(login("127.0.3.3", "marked", ChatApi.PASSWORD, null)).path("device").asString();
		assertThat(new ChatApi(this.server, "marked", device).get("/api/rooms").status()).isEqualTo(401);
		assertThat(anna.post("/api/auth/refresh", Map.of("refreshToken", device)).status()).isEqualTo(401);
	}

	@ParameterizedTest
	@CsvSource({ "a,72", "a,73", "a,256", "ä,15", "ä,40", "ä,256", "漢,72", "漢,256", "😀,15", "😀,73", "😀,256" })
	void longPasswordsOfAllLanguagesWork(String character, int count) {
		String name = "u" + Integer.toHexString(character.codePointAt(0)) + "-" + count;
		String password = "Zq7!" + character.repeat(count - 4);
		this.server.anonymous().post("/api/auth/register", Map.of("username", name, "password", password)).expect(201);
		assertThat(login("127.0.3.4", name, password, null).statusCode()).isEqualTo(200);
		// The password is not truncated.
		String other = password.substring(0, password.length() - character.length()) + "x";
		assertThat(login("127.0.3.5", name, other, null).statusCode()).isIn(401, 429);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1234", "aaaaaaaaaaaaaaaaaaaa", "abcabcabcabcabcabc", "0123456789012345",
			"lkjhgfdsapoiuytrewq", "PasswordPassword", "short-name-short-name", "lone surrogate \\ud800 in it",
			"nothing \\u0000 in it" })
	void weakPasswordsAreRefused(String password) {
		ChatApi.Answer answer = this.server.anonymous()
			.exchange("POST", "/api/auth/register", "{\"username\":\"short-name\",\"password\":\"" + password + "\"}");
		assertThat(answer.expect(400).code()).isEqualTo("bad-request");
	}

	@Test
	void tooLongPasswordsAreRefused() {
		for (int length : List.of(257, 1_025, 30_000)) {
			assertThat(this.server.anonymous()
				.post("/api/auth/register", Map.of("username", "long", "password", "xY3" + "ü".repeat(length - 3)))
				.expect(400)
				.code()).isEqualTo("bad-request");
		}
	}

	@Test
	void theDemoPasswordOpensNothingOutsideOfTheDemo() {
		this.accounts.registerForDemo("alice");
		assertThat(login("127.0.3.6", "alice", "demo", null).statusCode()).isEqualTo(401);
	}

	@Test
	void guessingIsSlowedAndTheOwnerStillGetsIn() {
		this.server.user("owner");
		String device = body(login("127.0.4.1", "owner", ChatApi.PASSWORD, null)).path("device").asString();
		for (int i = 0; i < FAILURES; i++) {
			assertThat(login("127.0.4.2", "owner", "a wrong password " + i, null).statusCode()).isEqualTo(401);
		}
		HttpResponse<String> slowed = login("127.0.4.2", "owner", "a wrong password", null);
		assertThat(slowed.statusCode()).isEqualTo(429);
		assertThat(body(slowed).path("code").asString()).isEqualTo("rate-limited");
		assertThat(Integer.parseInt(slowed.headers().firstValue("Retry-After").orElse("0"))).isBetween(60, 900);
		assertThat(login("127.0.4.2", "owner", ChatApi.PASSWORD, null).statusCode()).isEqualTo(429);
		// The owner signs in from another address, or with a known device.
		assertThat(login("127.0.4.3", "owner", ChatApi.PASSWORD, null).statusCode()).isEqualTo(200);
		assertThat(login("127.0.4.2", "owner", ChatApi.PASSWORD, device).statusCode()).isEqualTo(200);
		// A device of another user does not count.
		this.server.user("stranger");
		String foreign = body(login("127.0.4.4", "stranger", ChatApi.PASSWORD, null)).path("device").asString();
		assertThat(login("127.0.4.2", "owner", ChatApi.PASSWORD, foreign).statusCode()).isEqualTo(429);
		// A forged address changes nothing: no proxy is trusted here.
		assertThat(login("127.0.4.2", "owner", ChatApi.PASSWORD, null, "X-Forwarded-For", "10.1.2.3").statusCode())
			.isEqualTo(429);
	}

	@Test
	void oneAddressMayNotTryManyAccounts() {
		int refused = 0;
		for (int i = 0; i < 4 * FAILURES + 5; i++) {
			refused += (login("127.0.4.5", "unknown-" + i, "a wrong password", null).statusCode() == 429) ? 1 : 0;
		}
		assertThat(refused).isEqualTo(5);
	}

	@Test
	void fiftyGuessesAtOnceAreFewGuesses() throws Exception {
		this.server.user("hunted");
		List<Integer> answers = new ArrayList<>();
		try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
			List<Future<HttpResponse<String>>> pending = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				String guess = "a wrong password " + i;
				pending.add(threads.submit(() -> login("127.0.4.6", "hunted", guess, null)));
			}
			for (Future<HttpResponse<String>> answer : pending) {
				answers.add(answer.get().statusCode());
			}
		}
		int hashedAtOnce = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
		assertThat(answers).isSubsetOf(401, 429, 503);
		assertThat(answers).filteredOn((status) -> status == 401).hasSizeLessThan(FAILURES + hashedAtOnce);
	}

	@Test
	void limitsRefreshes() {
		ChatApi eager = this.server.user("eager");
		ChatApi.Answer answer = eager.post("/api/auth/refresh", Map.of("refreshToken", eager.refreshToken()));
		for (int i = 0; i < 1_000 && answer.status() == 200; i++) {
			String next = answer.body().path("refreshToken").asString();
			answer = eager.post("/api/auth/refresh", Map.of("refreshToken", next));
		}
		assertThat(answer.expect(429).code()).isEqualTo("rate-limited");
	}

	private HttpResponse<String> login(String from, String username, String password,
			@org.jspecify.annotations.Nullable String device, String... headers) {
		Map<String, Object> body = new HashMap<>(Map.of("username", username, "password", password));
		if (device != null) {
			body.put("device", device);
		}
		HttpRequest.Builder request = HttpRequest.newBuilder(this.server.http("/api/auth/login"))
			.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(ChatApi.JSON.writeValueAsString(body)));
		if (headers.length > 0) {
			request.headers(headers);
		}
		try (HttpClient client = HttpClient.newBuilder().localAddress(InetAddress.ofLiteral(from)).build()) {
			return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new AssertionError(ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new AssertionError(ex);
		}
	}

	private static JsonNode body(HttpResponse<String> response) {
		return ChatApi.JSON.readTree(response.body());
	}

}
