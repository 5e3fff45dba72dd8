package io.parley.server.issuer;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.PlainHeader;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import io.parley.server.error.ChatException;
import io.parley.server.issuer.IssuerProperties.Issuer;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.server.testing.TestClock;
import io.parley.server.testing.TestIssuer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** Which settings are possible, and which tokens are accepted. */
class IssuerRegistryTests {

	private static final String SECRET = "a secret of the host application, 64 bytes long, for all of HMAC";

	private static final String HOST = "https://host.example.org";

	private static TestIssuer one;

	private static TestIssuer two;

	private final TestClock clock = new TestClock();

	@BeforeAll
	static void start() {
		one = TestIssuer.start();
		two = TestIssuer.start(TestIssuer.newKey(one.key().getKeyID()));
	}

	@AfterAll
	static void stop() {
		one.close();
		two.close();
	}

	private IssuerRegistry issuers(Issuer... all) {
		return new IssuerRegistry(new IssuerProperties(List.of(all)), this.clock);
	}

	private IssuerRegistry both() {
		return issuers(remote(one), remote(two), host(SECRET));
	}

	private static Issuer remote(TestIssuer issuer) {
		return issuer(issuer.name(), issuer.keys(), null, null);
	}

	private static Issuer host(@Nullable String secret, String... algorithms) {
		return issuer(HOST, null, null, secret, algorithms);
	}

	private static Issuer issuer(@Nullable String name, @Nullable URI keys, @Nullable Resource pem,
			@Nullable String secret, String... algorithms) {
		return issuerFor(TestIssuer.AUDIENCE, name, keys, pem, secret, null, null, algorithms);
	}

	private static Issuer issuerFor(@Nullable String audience, @Nullable String name, @Nullable URI keys,
			@Nullable Resource pem, @Nullable String secret, @Nullable String previous, @Nullable Instant until,
			String... algorithms) {
		return new Issuer(name, null, keys, pem, secret, previous, until, audience, List.of(algorithms),
				"preferred_username", null, "openid profile", null, null);
	}

	private static Resource pem(PublicKey key) {
		return new ByteArrayResource(
				("-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(key.getEncoded())
						+ "\n-----END PUBLIC KEY-----\n")
					.getBytes(StandardCharsets.US_ASCII));
	}

	private static void refused(ThrowingCallable call) {
		assertThatThrownBy(call).isInstanceOf(ChatException.class)
			.extracting((ex) -> ((ChatException) ex).errorCode().code())
			.isEqualTo("unauthorized");
	}

	private static void impossible(ThrowingCallable call, String sentence) {
		assertThatThrownBy(call).isInstanceOf(ImpossibleSettingsException.class).hasMessageContaining(sentence);
	}

	@Test
	void anIncompleteIssuerFailsTheStartWithASentence() throws Exception {
		impossible(() -> issuers(issuer(null, one.keys(), null, null)), "chat.security.issuers[0]: issuer is missing");
		impossible(() -> issuers(issuer(HOST, null, null, null)), "exactly one of jwks-uri, public-key and secret");
		impossible(() -> issuers(issuer(HOST, one.keys(), null, SECRET)), "exactly one");
		impossible(() -> issuers(issuerFor(null, HOST, one.keys(), null, null, null, null)), "audience is missing");
		impossible(() -> issuers(issuerFor(" ", HOST, one.keys(), null, null, null, null)), "audience is missing");
		impossible(() -> issuers(remote(one), host(SECRET), remote(one)), "twice");
		impossible(() -> issuers(issuer(HOST, URI.create("file:/etc/passwd"), null, null)), "jwks-uri must be");
		impossible(() -> issuers(issuer("x".repeat(256), one.keys(), null, null)), "longer than 255");
		impossible(() -> issuers(host("short")), "5 bytes");
		impossible(() -> issuers(host(SECRET.substring(0, 40), "HS512")), "at least 64");
		impossible(() -> issuers(issuerFor("a", HOST, null, null, SECRET, SECRET, null)), "together");
		impossible(() -> issuers(issuerFor("a", HOST, null, null, SECRET, "short", Instant.MAX)),
				"previous-secret has");
		impossible(() -> issuers(issuerFor("a", HOST, one.keys(), null, null, SECRET, Instant.MAX)), "needs a secret");
		impossible(() -> issuers(issuer(HOST, null, new ByteArrayResource("no key".getBytes()), null)), "public-key");
		KeyPairGenerator weak = KeyPairGenerator.getInstance("RSA");
		weak.initialize(1_024);
		impossible(() -> issuers(issuer(HOST, null, pem(weak.generateKeyPair().getPublic()), null)), "2048");
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "HS256", "RS256 ", "rs256", "" })
	void noAlgorithmOfAnotherKindIsPossibleWithKeys(String algorithm) {
		impossible(() -> issuers(issuer(HOST, one.keys(), null, null, algorithm)), "algorithms contains");
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "RS256", "ES256" })
	void noAlgorithmOfAnotherKindIsPossibleWithASecret(String algorithm) {
		impossible(() -> issuers(host(SECRET, "HS256", algorithm)), "algorithms contains");
	}

	@Test
	void noMessageContainsASecret() {
		assertThatThrownBy(() -> issuers(host("a short secret"))).hasMessageNotContaining("a short secret");
		assertThat(host(SECRET).toString()).doesNotContain(SECRET);
		assertThat(new IssuerProperties(List.of(host(SECRET))).toString()).doesNotContain(SECRET);
	}

	@Test
	void theTokenOfAUserIsAccepted() {
		ExternalToken token = both().verify(one.name(),
				one.token("7", (claims) -> claims.claim("preferred_username", "anna")));
		assertThat(token.issuer()).isEqualTo(one.name());
		assertThat(token.subject()).isEqualTo("7");
		assertThat(token.wishedName()).isEqualTo("anna");
		assertThat(token.signIn()).hasSize(32);
		assertThat(ExternalToken.isExternal(token.signIn())).isTrue();
	}

	@Test
	void withoutAStringInTheUserClaimTheSubjectIsTheName() {
		assertThat(both().verify(one.name(), one.token("7")).wishedName()).isEqualTo("7");
		assertThat(both()
			.verify(one.name(), one.token("7", (claims) -> claims.claim("preferred_username", List.of("root"))))
			.wishedName()).isEqualTo("7");
	}

	@Test
	void theSignInIsTheSessionOfTheIssuerElseTheTokenOrItsId() {
		IssuerRegistry issuers = both();
		String session = signIn(issuers, (claims) -> claims.claim("sid", "s").jwtID(UUID.randomUUID().toString()));
		assertThat(signIn(issuers, (claims) -> claims.claim("sid", "s"))).isEqualTo(session);
		String id = signIn(issuers, (claims) -> claims.jwtID("s"));
		assertThat(signIn(issuers, (claims) -> claims.jwtID("s"))).isEqualTo(id).isNotEqualTo(session);
		String token = signIn(issuers, (claims) -> claims.claim("n", 1));
		assertThat(signIn(issuers, (claims) -> claims.claim("n", 2))).isNotIn(session, id, token);
		assertThat(issuers.verify(one.name(), one.token("other", (claims) -> claims.claim("sid", "s"))).signIn())
			.isNotEqualTo(session);
		assertThat(issuers.verify(two.name(), two.token("7", (claims) -> claims.claim("sid", "s"))).signIn())
			.isNotEqualTo(session);
	}

	private static String signIn(IssuerRegistry issuers, Consumer<JWTClaimsSet.Builder> change) {
		return issuers.verify(one.name(), one.token("7", change)).signIn();
	}

	@Test
	void noIssuerSignsForAnother() {
		IssuerRegistry issuers = both();
		String foreign = TestIssuer.sign(two.key(), JWSAlgorithm.RS256, TestIssuer.claims(one.name(), "7", (c) -> {
		}));
		refused(() -> issuers.verify(one.name(), foreign));
		refused(() -> issuers.verify(two.name(), foreign));
		refused(() -> issuers.verify(two.name(), one.token("7")));
		refused(() -> issuers.verify("https://elsewhere.example.org", one.token("7")));
		assertThat(issuers.verify(two.name(), two.token("7")).issuer()).isEqualTo(two.name());
	}

	/** The header {@code kid} is the same as before, or there is none. */
	@Test
	void aKeyThatWasReplacedUnderItsIdIsFetched() {
		try (TestIssuer careless = TestIssuer.start()) {
			IssuerRegistry issuers = issuers(remote(careless));
			issuers.verify(careless.name(), careless.token("7"));
			careless.replaceKey();
			refused(() -> issuers.verify(careless.name(), careless.token("7")));
			assertThat(careless.fetches()).isEqualTo(1);
			this.clock.forward(RemoteKeys.INTERVAL);
			await().ignoreExceptions()
				.untilAsserted(() -> assertThat(issuers.verify(careless.name(), careless.token("7")).subject())
					.isEqualTo("7"));
			assertThat(careless.fetches()).isEqualTo(2);
		}
	}

	@Test
	void noPublicKeyIsASecret() throws Exception {
		RSAKey key = one.key();
		IssuerRegistry issuers = issuers(issuer(one.name(), null, pem(key.toRSAPublicKey()), null), remote(two));
		byte[] encoded = key.toRSAPublicKey().getEncoded();
		for (byte[] secret : List.of(encoded, key.toPublicJWK().toJSONString().getBytes(StandardCharsets.UTF_8),
				pem(key.toRSAPublicKey()).getContentAsByteArray())) {
			JWK confused = new OctetSequenceKey.Builder(secret).keyID(key.getKeyID()).build();
			refused(() -> issuers.verify(one.name(), TestIssuer.sign(confused, JWSAlgorithm.HS256, claims(one))));
			refused(() -> issuers.verify(two.name(), TestIssuer.sign(confused, JWSAlgorithm.HS256, claims(two))));
		}
		refused(() -> issuers.verify(one.name(), new PlainJWT(new PlainHeader(), claims(one)).serialize()));
		refused(() -> issuers.verify(one.name(), TestIssuer.sign(key, JWSAlgorithm.PS256, claims(one))));
		assertThat(issuers.verify(one.name(), one.token("7")).subject()).isEqualTo("7");
	}

	private static JWTClaimsSet claims(TestIssuer issuer) {
		return TestIssuer.claims(issuer.name(), "7", (claims) -> {
		});
	}

	@Test
	void timesAndAudienceAreDemanded() {
		IssuerRegistry issuers = both();
		Date now = new Date();
		bad(issuers, (claims) -> claims.expirationTime(null));
		bad(issuers, (claims) -> claims.issueTime(null));
		bad(issuers, (claims) -> claims.issueTime(null).expirationTime(in(now, 20)));
		bad(issuers, (claims) -> claims.expirationTime(in(now, -31)).issueTime(in(now, -60)));
		bad(issuers, (claims) -> claims.notBeforeTime(in(now, 60)));
		bad(issuers, (claims) -> claims.issueTime(in(now, 60)));
		bad(issuers, (claims) -> claims.expirationTime(in(now, 24 * 3_600 + 60)));
		bad(issuers, (claims) -> claims.issueTime(in(now, 1_000_000)).expirationTime(in(now, 1_000_060)));
		bad(issuers, (claims) -> claims.audience((String) null));
		bad(issuers, (claims) -> claims.audience("another"));
		bad(issuers, (claims) -> claims.subject(null));
		bad(issuers, (claims) -> claims.subject(" "));
		bad(issuers, (claims) -> claims.subject("x".repeat(256)));
		bad(issuers, (claims) -> claims.subject("a\u0000"));
		refused(() -> issuers.verify(one.name(),
				TestIssuer.sign(one.key(), claims(one).toString().replace("\"sub\":\"7\"", "\"sub\":\"7\\ud800\""))));
		good(issuers, (claims) -> claims.audience(List.of("another", TestIssuer.AUDIENCE)));
		good(issuers, (claims) -> claims.expirationTime(in(now, -10)).issueTime(in(now, -60)));
		good(issuers, (claims) -> claims.notBeforeTime(in(now, 10)).issueTime(in(now, 10)));
		good(issuers, (claims) -> claims.subject("x".repeat(255)));
	}

	private static Date in(Date now, int seconds) {
		return Date.from(now.toInstant().plusSeconds(seconds));
	}

	private static void bad(IssuerRegistry issuers, Consumer<JWTClaimsSet.Builder> change) {
		refused(() -> issuers.verify(one.name(), one.token("7", change)));
	}

	private static void good(IssuerRegistry issuers, Consumer<JWTClaimsSet.Builder> change) {
		assertThat(issuers.verify(one.name(), one.token("7", change)).issuer()).isEqualTo(one.name());
	}

	@ParameterizedTest
	@ValueSource(strings = { "logout+jwt", "refresh+jwt", "device+jwt", "secevent+jwt" })
	void aTokenForSomethingElseIsRefused(String type) {
		refused(() -> both().verify(one.name(),
				TestIssuer.sign(one.key(), JWSAlgorithm.RS256, one.key().getKeyID(), type, claims(one))));
	}

	@Test
	void theTypesOfAccessTokensAreAccepted() {
		for (String type : new String[] { "JWT", "at+jwt", null }) {
			assertThat(both()
				.verify(one.name(),
						TestIssuer.sign(one.key(), JWSAlgorithm.RS256, one.key().getKeyID(), type, claims(one)))
				.subject()).isEqualTo("7");
		}
	}

	@Test
	void aHostSignsWithASharedSecretAndReplacesIt() {
		JWTClaimsSet claims = TestIssuer.claims(HOST, "7", (c) -> {
		});
		String old = "the secret before that one, also 64 bytes long or longer than that";
		Instant until = this.clock.instant().plusSeconds(60);
		IssuerRegistry issuers = issuers(
				issuerFor(TestIssuer.AUDIENCE, HOST, null, null, SECRET, old, until, "HS256", "HS512"));
		String current = TestIssuer.sign(TestIssuer.secret(SECRET), JWSAlgorithm.HS512, "any", "JWT", claims);
		String previous = TestIssuer.sign(TestIssuer.secret(old), JWSAlgorithm.HS256, claims);
		assertThat(issuers.verify(HOST, current).subject()).isEqualTo("7");
		assertThat(issuers.verify(HOST, previous).subject()).isEqualTo("7");
		refused(() -> issuers.verify(HOST, TestIssuer.sign(TestIssuer.secret(SECRET), JWSAlgorithm.HS384, claims)));
		refused(() -> issuers.verify(HOST,
				TestIssuer.sign(TestIssuer.secret("x" + SECRET), JWSAlgorithm.HS256, claims)));
		refused(() -> issuers.verify(HOST, TestIssuer.sign(one.key(), JWSAlgorithm.RS256, claims)));
		this.clock.forward(Duration.ofSeconds(60));
		refused(() -> issuers.verify(HOST, previous));
		assertThat(issuers.verify(HOST, current).subject()).isEqualTo("7");
	}

	/** The example of docs/operations.md. */
	@Test
	void theExampleOfTheDocumentationSignsAValidToken() throws Exception {
		String page = Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs/operations.md"));
		String example = page.substring(page.indexOf("```python\n") + "```python\n".length());
		String program = example.substring(0, example.indexOf("```"))
				+ "import sys; print(chat_token(sys.argv[1], '17', 'anna'))\n";
		Process python = new ProcessBuilder("python3", "-c", program, SECRET).redirectErrorStream(true).start();
		String token = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
		assertThat(python.waitFor()).as(token).isZero();
		ExternalToken read = issuers(issuerFor("chat", "https://app.example.org", null, null, SECRET, null, null))
			.verify("https://app.example.org", token);
		assertThat(read.subject()).isEqualTo("17");
		assertThat(read.wishedName()).isEqualTo("anna");
	}

	@Test
	void aFixedKeyMayBeOfAnEllipticCurve() throws Exception {
		var key = new ECKeyGenerator(Curve.P_256).keyID("ec").generate();
		Issuer ec = issuer(HOST, null, pem(key.toECPublicKey()), null, "ES256");
		JWTClaimsSet claims = TestIssuer.claims(HOST, "7", (c) -> {
		});
		assertThat(issuers(ec).verify(HOST, TestIssuer.sign(key, JWSAlgorithm.ES256, claims)).subject()).isEqualTo("7");
		impossible(() -> issuers(issuer(HOST, null, pem(key.toECPublicKey()), null)), "does not fit");
		impossible(() -> issuers(issuer(HOST, null, pem(key.toECPublicKey()), null, "ES384")), "does not fit");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", ".", "..", "a.b.c", "e30.e30.", "é.é.é" })
	void nonsenseIsRefused(String token) {
		refused(() -> both().verify(one.name(), token));
		refused(() -> both().verify(HOST, token));
	}

}
