package io.parley.system.browser;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

import com.microsoft.playwright.Locator;
import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Users of issuers outside of the chat server sign in, chat and sign out. */
class IssuerSignInIntegrationTests {

	private static final String STALE = "This answer does not belong to a sign-in of this tab. Sign in again.";

	private static final String EXAMPLE = "Example";

	private static final String DIRECT = "Direct";

	private static final TestIssuer issuer = new TestIssuer();

	/** The server knows its endpoints. That for tokens has another origin. */
	private static final TestIssuer direct = new TestIssuer();

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess(
			Stream.of(issuer.settings(0, EXAMPLE), direct.settings(1, DIRECT), endpoints())
				.flatMap(Function.identity())
				.toArray(String[]::new));

	private final ChatApi api = new ChatApi(server.url());

	private ChatPage page;

	private static Stream<String> endpoints() {
		return Stream.of(
				"--chat.security.issuers[1].authorization-endpoint=" + direct.url() + "/authorize?prompt=login",
				"--chat.security.issuers[1].token-endpoint=" + direct.url().replace("127.0.0.1", "localhost")
						+ "/token");
	}

	@AfterAll
	static void stopIssuers() {
		issuer.close();
		direct.close();
	}

	@BeforeEach
	void open() {
		issuer.reset();
		direct.reset();
		this.page = new ChatPage(chromium.browser(), 360, 740);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void signsInWithPkceAndLeavesNothingInTheAddress() {
		signIn("/?x=1#y");
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		assertThat(this.page.url()).isEqualTo(home() + "#y");
		Map<String, String> request = issuer.authorizations.getFirst();
		assertThat(request).containsEntry("response_type", "code")
			.containsEntry("client_id", TestIssuer.CLIENT)
			.containsEntry("scope", "openid chat")
			.containsEntry("redirect_uri", home())
			.containsEntry("code_challenge_method", "S256");
		assertThat(Stream.of("state", "nonce", "code_challenge").map(request::get)).doesNotHaveDuplicates()
			.allSatisfy((value) -> assertThat(value).matches("[A-Za-z0-9_-]{43}"));
		assertThat(issuer.granted).hasSize(1);
		assertThat((List<?>) this.page.evaluate("() => Object.keys(sessionStorage)")).asString()
			.doesNotContain("parley.issuer");
		this.page.test("account-open").click();
		assertThat(this.page.test("account-issuer")).containsText("signed in by Example");
		assertThat(this.page.test("password-new")).isHidden();
		assertThat(this.page.test("devices")).isHidden();
		this.page.test("account-close").click();
		this.api.createRoom(this.api.login("alice", "demo"), "By the issuer", List.of(TestIssuer.NAME));
		this.page.open("By the issuer");
		this.page.send("Hello");
		assertThat(this.page.own("sent").or(this.page.own("seen"))).hasCount(1);
		assertThat(this.page.sockets()).isOne();
		this.page.reload();
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		assertThat(this.page.test("connection")).hasAttribute("data-state", "online");
		assertThat(this.page.errors()).isEmpty();
	}

	@Test
	void showsTheNameThatTheServerChose() {
		issuer.accessToken = (claims) -> with(with(claims, "sub", "18"), "preferred_username", "alice");
		signIn("/");
		assertThat(this.page.test("me")).hasText("alice-2");
		assertThat(this.page.test("connection")).hasAttribute("data-state", "online");
	}

	@Test
	void usesTheEndpointsOfTheServerWithoutMetadata() {
		direct.accessToken = (claims) -> with(claims, "preferred_username", "dirk");
		signIn("/", DIRECT);
		assertThat(this.page.test("me")).hasText("dirk");
		assertThat(direct.authorizations.getFirst()).containsEntry("prompt", "login");
		assertThat(this.page.answers("/.well-known/openid-configuration", 200)).isZero();
		assertThat(this.page.errors()).isEmpty();
	}

	@Test
	void refreshesAtTheIssuer() {
		issuer.life = 3;
		signIn("/");
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		this.page.await(() -> this.page.confirmed("/app/token") >= 3);
		assertThat(issuer.granted).hasSizeGreaterThan(3);
		assertThat(issuer.granted.getLast()).containsEntry("grant_type", "refresh_token");
		assertThat(this.page.test("me")).isVisible();
		assertThat(this.page.test("connection")).hasAttribute("data-state", "online");
		assertThat(this.page.sockets()).isOne();
		assertThat(this.page.answers("/api/auth/refresh", 200)).isZero();
		issuer.tokens = (tokens) -> with(tokens, "refresh_token", "not one of the issuer");
		assertThat(this.page.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(this.page.stored()).isEmpty();
	}

	@Test
	void withoutARefreshTokenItAsksToSignInAgain() {
		issuer.life = 4;
		issuer.tokens = (tokens) -> with(tokens, "refresh_token", null);
		signIn("/");
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		assertThat(this.page.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(issuer.tokenRequests).hasSize(1);
	}

	@Test
	void signsOutAndInAgain() throws Exception {
		signIn("/");
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		String token = issuer.accessTokens.getFirst();
		assertThat(status(token)).isEqualTo(200);
		this.page.test("signout").click();
		this.page.awaitAnswers("/api/auth/logout", 204, 1);
		assertThat(issuerButton(EXAMPLE)).isVisible();
		assertThat(this.page.test("signin-lead")).hasText("Sign in to continue.");
		assertThat(this.page.stored()).isEmpty();
		assertThat(status(token)).isEqualTo(401);
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		assertThat(this.page.test("connection")).hasAttribute("data-state", "online");
	}

	private static int status(String token) throws IOException, InterruptedException {
		try (HttpClient http = HttpClient.newHttpClient()) {
			return http
				.send(HttpRequest.newBuilder(server.url().resolve("/api/me"))
					.header("Authorization", "Bearer " + token)
					.build(), BodyHandlers.discarding())
				.statusCode();
		}
	}

	@Test
	void joinsByTheInviteLinkWithWhichItBegan() {
		String owner = this.api.login("alice", "demo");
		String room = this.api.createPrivateChannel(owner, "By invitation", List.of());
		signIn("/#invite=" + this.api.roomInvite(owner, room));
		assertThat(this.page.test("room-name")).hasText("By invitation");
		assertThat(this.page.url()).isEqualTo(home());
	}

	@Test
	void explainsErrorsOfTheIssuer() {
		issuer.returned = (answer) -> Map.of("error", "access_denied", "error_description", "<b>No</b>", "state",
				answer.get("state"));
		signIn("/");
		assertThat(this.page.test("signin-error"))
			.hasText("You did not sign in: Example did not allow it, or you cancelled. (<b>No</b>)");
		assertThat(this.page.url()).isEqualTo(home());
		issuer.returned = (answer) -> with(answer, "code", "wrong");
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("signin-error")).containsText("too old or used already");
		issuer.returned = (answer) -> answer;
		issuer.tokens = (tokens) -> Map.of("token_type", "Bearer");
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("signin-error")).hasText("Example did not sign you in. Try again.");
		issuer.tokens = (tokens) -> with(tokens, "access_token", "not.a.token");
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("signin-error")).containsText("token is not valid");
		issuer.tokens = (tokens) -> tokens;
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
	}

	@ParameterizedTest
	@MethodSource
	void refusesAnIdTokenOfAnotherSignIn(String claim, Object value) {
		issuer.idToken = (claims) -> with(claims, claim, value);
		signIn("/");
		assertThat(this.page.test("signin-error"))
			.hasText("The answer of Example does not belong to this sign-in. Sign in again.");
		assertThat(this.page.stored()).isEmpty();
	}

	static Stream<Object[]> refusesAnIdTokenOfAnotherSignIn() {
		return Stream.of(new Object[] { "nonce", "another" }, new Object[] { "aud", "another" },
				new Object[] { "iss", "http://127.0.0.1:1" }, new Object[] { "exp", 1 });
	}

	@Test
	void refusesAnswersThatItDidNotAskFor() {
		this.page.visit(server.url().resolve("/?code=stolen&state=guessed"));
		assertThat(this.page.test("signin-error")).hasText(STALE);
		assertThat(this.page.url()).isEqualTo(home());
		issuer.returned = (answer) -> with(answer, "state", "guessed");
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("signin-error")).hasText(STALE);
		issuer.returned = (answer) -> with(answer, "iss", "http://127.0.0.1:1");
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("signin-error")).hasText(STALE);
		assertThat(issuer.tokenRequests).isEmpty();
		issuer.returned = (answer) -> answer;
		issuerButton(EXAMPLE).click();
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		String state = issuer.authorizations.getLast().get("state");
		this.page.visit(server.url().resolve("/?code=again&state=" + state));
		assertThat(this.page.test("me")).hasText(TestIssuer.NAME);
		assertThat(this.page.url()).isEqualTo(home());
		assertThat(issuer.tokenRequests).hasSize(1);
	}

	@ParameterizedTest
	@MethodSource
	void goesNowhereElse(String authorizationEndpoint) {
		issuer.metadata = (metadata) -> with(metadata, "authorization_endpoint", authorizationEndpoint);
		signIn("/");
		assertThat(this.page.test("signin-error")).hasText("Example is not set up for this chat. Tell an operator.");
		assertThat(this.page.url()).isEqualTo(home());
	}

	static Stream<String> goesNowhereElse() {
		return Stream.of("javascript:alert(1)", "http://login.example.org/authorize", "data:text/html,x", "/authorize");
	}

	@Test
	void saysThatTheIssuerCannotBeReached() {
		issuer.metadata = (metadata) -> with(metadata, "token_endpoint", "http://127.0.0.1:1/token");
		signIn("/");
		assertThat(this.page.test("signin-error"))
			.hasText("Example cannot be reached. Try again; if that does not help, tell an operator.");
		assertThat(this.page.url()).isEqualTo(home());
	}

	private void signIn(String path) {
		signIn(path, EXAMPLE);
	}

	private void signIn(String path, String name) {
		this.page.visit(URI.create(server.url() + path));
		assertThat(this.page.test("issuer")).hasText(new String[] { "Sign in with Example", "Sign in with Direct" });
		issuerButton(name).click();
	}

	private Locator issuerButton(String name) {
		return this.page.test("issuer").filter(new Locator.FilterOptions().setHasText(name));
	}

	private static String home() {
		return server.url() + "/";
	}

	/** Returns a copy with another value; {@code null} removes it. */
	private static <V> Map<String, V> with(Map<String, V> map, String name, @Nullable V value) {
		Map<String, V> copy = new HashMap<>(map);
		copy.remove(name);
		if (value != null) {
			copy.put(name, value);
		}
		return copy;
	}

}
