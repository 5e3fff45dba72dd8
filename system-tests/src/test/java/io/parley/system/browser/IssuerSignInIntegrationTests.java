package io.parley.system.browser;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import io.parley.system.ChatApi;
import io.parley.system.ChatServerProcess;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

/** Bob signs in with an issuer outside of the chat server. */
class IssuerSignInIntegrationTests {

	private static final double PATIENCE_MILLIS = 60_000;

	private static final String STALE = "This answer does not belong to a sign-in of this tab. Sign in again.";

	private static final TestIssuer issuer = new TestIssuer();

	@RegisterExtension
	static final Chromium chromium = new Chromium();

	@RegisterExtension
	static final ChatServerProcess server = new ChatServerProcess("--chat.security.connect-origins=" + issuer.url());

	private final ChatApi api = new ChatApi(server.url());

	private ChatPage page;

	@BeforeAll
	static void setTimeouts() {
		PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MILLIS);
	}

	@AfterAll
	static void stopIssuer() {
		issuer.close();
	}

	@BeforeEach
	void open() {
		issuer.reset();
		// UNTIL THE SERVER ACCEPTS TOKENS OF ISSUERS: the issuer hands out a token of the
		// server. Then remove this line, so that the issuer signs its own, configure the
		// issuer at the server above, and remove the call of 'offer' below.
		issuer.accessToken = (user) -> this.api.login(user, "demo");
		this.page = new ChatPage(chromium.browser(), 360, 740);
		offer(null, null);
	}

	@AfterEach
	void close() {
		this.page.close();
	}

	@Test
	void signsInWithPkceAndLeavesNothingInTheAddress() {
		signIn("/?x=1#y");
		assertThat(this.page.test("me")).hasText("bob");
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
		this.page.open("Lobby");
		this.page.send("By the issuer");
		assertThat(this.page.own("sent").or(this.page.own("seen"))).not().hasCount(0);
		this.page.reload();
		assertThat(this.page.test("me")).hasText("bob");
		assertThat(this.page.errors()).isEmpty();
	}

	@Test
	void usesTheGivenEndpointsWithoutMetadata() {
		offer(issuer.url() + "/authorize?prompt=login", issuer.url() + "/token");
		signIn("/");
		assertThat(this.page.test("me")).hasText("bob");
		assertThat(issuer.authorizations.getFirst()).containsEntry("prompt", "login");
		assertThat(this.page.answers("/.well-known/openid-configuration", 200)).isZero();
	}

	@Test
	void refreshesAtTheIssuer() {
		issuer.tokens = (tokens) -> with(tokens, "expires_in", 3);
		signIn("/");
		assertThat(this.page.test("me")).hasText("bob");
		this.page.await(() -> issuer.granted.size() >= 4);
		assertThat(issuer.granted.getLast()).containsEntry("grant_type", "refresh_token");
		assertThat(this.page.test("me")).isVisible();
		assertThat(this.page.test("connection")).hasAttribute("data-state", "online");
		assertThat(this.page.answers("/api/auth/refresh", 200)).isZero();
		issuer.tokens = (tokens) -> with(with(tokens, "refresh_token", "not one of the issuer"), "expires_in", 3);
		assertThat(this.page.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(this.page.stored()).isEmpty();
	}

	@Test
	void withoutARefreshTokenItAsksToSignInAgain() {
		issuer.tokens = (tokens) -> with(with(tokens, "refresh_token", null), "expires_in", 4);
		signIn("/");
		assertThat(this.page.test("me")).hasText("bob");
		assertThat(this.page.test("signin-lead")).hasText("Your sign-in has ended. Sign in again.");
		assertThat(issuer.tokenRequests).hasSize(1);
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
		this.page.test("issuer").click();
		assertThat(this.page.test("signin-error")).containsText("too old or used already");
		issuer.returned = (answer) -> answer;
		issuer.tokens = (tokens) -> Map.of("token_type", "Bearer");
		this.page.test("issuer").click();
		assertThat(this.page.test("signin-error")).hasText("Example did not sign you in. Try again.");
		issuer.tokens = (tokens) -> with(tokens, "access_token", "not.a.token");
		this.page.test("issuer").click();
		assertThat(this.page.test("signin-error")).containsText("token is not valid");
		issuer.tokens = (tokens) -> tokens;
		this.page.test("issuer").click();
		assertThat(this.page.test("me")).hasText("bob");
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
		this.page.test("issuer").click();
		assertThat(this.page.test("signin-error")).hasText(STALE);
		issuer.returned = (answer) -> with(answer, "iss", "http://127.0.0.1:1");
		this.page.test("issuer").click();
		assertThat(this.page.test("signin-error")).hasText(STALE);
		assertThat(issuer.tokenRequests).isEmpty();
		issuer.returned = (answer) -> answer;
		this.page.test("issuer").click();
		assertThat(this.page.test("me")).hasText("bob");
		String state = issuer.authorizations.getLast().get("state");
		this.page.visit(server.url().resolve("/?code=again&state=" + state));
		assertThat(this.page.test("me")).hasText("bob");
		assertThat(this.page.url()).isEqualTo(home());
		assertThat(issuer.tokenRequests).hasSize(1);
	}

	@ParameterizedTest
	@MethodSource
	void goesNowhereElse(String authorizationEndpoint) {
		offer(authorizationEndpoint, issuer.url() + "/token");
		signIn("/");
		assertThat(this.page.test("signin-error")).hasText("Example is not set up for this chat. Tell an operator.");
		assertThat(this.page.url()).isEqualTo(home());
	}

	static Stream<String> goesNowhereElse() {
		return Stream.of("javascript:alert(1)", "http://login.example.org/authorize", "data:text/html,x", "/authorize");
	}

	@Test
	void saysThatTheIssuerCannotBeReached() {
		offer(issuer.url() + "/authorize", "http://127.0.0.1:1/token");
		signIn("/");
		assertThat(this.page.test("signin-error"))
			.hasText("Example cannot be reached. Try again; if that does not help, tell an operator.");
		assertThat(this.page.url()).isEqualTo(home());
	}

	private void offer(@Nullable String authorizationEndpoint, @Nullable String tokenEndpoint) {
		this.page.offer(200, ChatApi.JSON.writeValueAsString(Map.of("localSignIn", true, "registration", "closed",
				"issuers", List.of(issuer.option(authorizationEndpoint, tokenEndpoint)))));
	}

	private void signIn(String path) {
		this.page.visit(URI.create(server.url() + path));
		assertThat(this.page.test("issuer")).hasText("Sign in with Example");
		this.page.test("issuer").click();
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
