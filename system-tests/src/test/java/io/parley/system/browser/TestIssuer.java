package io.parley.system.browser;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.parley.system.ChatApi;
import org.jspecify.annotations.Nullable;

/**
 * A small issuer: the authorization code flow with PKCE for public clients, refresh
 * tokens that are valid once, metadata and keys. It signs everybody in as one user,
 * {@value #NAME}, without asking. Its answers can be changed to wrong ones.
 */
final class TestIssuer implements AutoCloseable {

	static final String CLIENT = "parley-page";

	/** The name that it suggests for its user. */
	static final String NAME = "dora";

	private static final String SUBJECT = "17";

	private static final String AUDIENCE = "the-chat";

	private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

	private final HttpServer server;

	private final KeyPair keys;

	private final Map<String, Map<String, String>> codes = new ConcurrentHashMap<>();

	private final Map<String, String> refreshTokens = new ConcurrentHashMap<>();

	/** The queries of the authorization requests. */
	final List<Map<String, String>> authorizations = new CopyOnWriteArrayList<>();

	/** The bodies of the token requests that were answered with tokens. */
	final List<Map<String, String>> granted = new CopyOnWriteArrayList<>();

	/** The bodies of all token requests. */
	final List<Map<String, String>> tokenRequests = new CopyOnWriteArrayList<>();

	/** The access tokens that it issued. */
	final List<String> accessTokens = new CopyOnWriteArrayList<>();

	/** How many seconds its tokens live. */
	volatile int life = 300;

	/** Changes the metadata. */
	volatile UnaryOperator<Map<String, Object>> metadata = UnaryOperator.identity();

	/** Changes the claims of the access token. */
	volatile UnaryOperator<Map<String, Object>> accessToken = UnaryOperator.identity();

	/** Changes the parameters that return to the page. */
	volatile UnaryOperator<Map<String, String>> returned = UnaryOperator.identity();

	/** Changes the claims of the ID token. */
	volatile UnaryOperator<Map<String, Object>> idToken = UnaryOperator.identity();

	/** Changes the answers of the token endpoint. */
	volatile UnaryOperator<Map<String, Object>> tokens = UnaryOperator.identity();

	TestIssuer() {
		try {
			this.server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 0);
			KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
			generator.initialize(2048);
			this.keys = generator.generateKeyPair();
		}
		catch (IOException | GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
		this.server.createContext("/.well-known/openid-configuration",
				(exchange) -> answer(exchange, 200, this.metadata.apply(metadata())));
		this.server.createContext("/jwks", (exchange) -> answer(exchange, 200, jwks()));
		this.server.createContext("/authorize", this::authorize);
		this.server.createContext("/token", this::token);
		this.server.start();
	}

	/** Forgets all requests, and answers correctly again. */
	void reset() {
		this.authorizations.clear();
		this.granted.clear();
		this.tokenRequests.clear();
		this.accessTokens.clear();
		this.life = 300;
		this.metadata = UnaryOperator.identity();
		this.accessToken = UnaryOperator.identity();
		this.returned = UnaryOperator.identity();
		this.idToken = UnaryOperator.identity();
		this.tokens = UnaryOperator.identity();
	}

	String url() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	/** Returns the arguments with which a server accepts this issuer. */
	Stream<String> settings(int index, String name) {
		return Stream
			.of("issuer=" + url(), "name=" + name, "jwks-uri=" + url() + "/jwks", "audience=" + AUDIENCE,
					"client-id=" + CLIENT, "scope=openid chat")
			.map((setting) -> "--chat.security.issuers[" + index + "]." + setting);
	}

	private Map<String, Object> metadata() {
		return Map.of("issuer", url(), "authorization_endpoint", url() + "/authorize", "token_endpoint",
				url() + "/token", "jwks_uri", url() + "/jwks", "code_challenge_methods_supported", List.of("S256"));
	}

	private Map<String, Object> jwks() {
		RSAPublicKey key = (RSAPublicKey) this.keys.getPublic();
		return Map.of("keys", List.of(Map.of("kty", "RSA", "kid", "test", "use", "sig", "alg", "RS256", "n",
				unsigned(key.getModulus().toByteArray()), "e", unsigned(key.getPublicExponent().toByteArray()))));
	}

	private static String unsigned(byte[] bytes) {
		return BASE64.encodeToString((bytes[0] == 0) ? Arrays.copyOfRange(bytes, 1, bytes.length) : bytes);
	}

	private void authorize(HttpExchange exchange) throws IOException {
		Map<String, String> request = parameters(exchange.getRequestURI().getRawQuery());
		this.authorizations.add(request);
		String code = UUID.randomUUID().toString();
		this.codes.put(code, request);
		Map<String, String> answer = new HashMap<>();
		answer.put("code", code);
		answer.put("state", request.get("state"));
		answer.put("iss", url());
		String query = this.returned.apply(answer)
			.entrySet()
			.stream()
			.map((entry) -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
			.collect(Collectors.joining("&"));
		exchange.getResponseHeaders().set("Location", request.get("redirect_uri") + "?" + query);
		exchange.sendResponseHeaders(302, -1);
		exchange.close();
	}

	private void token(HttpExchange exchange) throws IOException {
		Map<String, String> request = parameters(
				new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
		this.tokenRequests.add(request);
		String nonce = null;
		boolean valid = CLIENT.equals(request.get("client_id"));
		if ("authorization_code".equals(request.get("grant_type"))) {
			Map<String, String> asked = this.codes.remove(request.getOrDefault("code", ""));
			valid &= asked != null && asked.get("redirect_uri").equals(request.get("redirect_uri"))
					&& asked.get("code_challenge").equals(challenge(request.getOrDefault("code_verifier", "")));
			nonce = (asked != null) ? asked.get("nonce") : null;
		}
		else {
			valid &= this.refreshTokens.remove(request.getOrDefault("refresh_token", "")) != null;
		}
		if (!valid) {
			answer(exchange, 400, Map.of("error", "invalid_grant"));
			return;
		}
		this.granted.add(request);
		answer(exchange, 200, this.tokens.apply(grant(nonce)));
	}

	private Map<String, Object> grant(@Nullable String nonce) {
		String refreshToken = UUID.randomUUID().toString();
		this.refreshTokens.put(refreshToken, SUBJECT);
		String accessToken = accessToken();
		this.accessTokens.add(accessToken);
		Map<String, Object> grant = new HashMap<>(Map.of("token_type", "Bearer", "access_token", accessToken,
				"expires_in", this.life, "refresh_token", refreshToken));
		if (nonce != null) {
			Map<String, Object> claims = claims(CLIENT);
			claims.put("nonce", nonce);
			grant.put("id_token", jwt("JWT", this.idToken.apply(claims)));
		}
		return grant;
	}

	/** Signs an access token of RFC 9068. */
	private String accessToken() {
		Map<String, Object> claims = claims(AUDIENCE);
		claims.put("client_id", CLIENT);
		claims.put("preferred_username", NAME);
		return jwt("at+jwt", this.accessToken.apply(claims));
	}

	private Map<String, Object> claims(String audience) {
		long now = Instant.now().getEpochSecond();
		return new HashMap<>(Map.of("iss", url(), "sub", SUBJECT, "aud", audience, "iat", now, "exp", now + this.life,
				"jti", UUID.randomUUID().toString()));
	}

	private String jwt(String type, Map<String, Object> claims) {
		try {
			String signed = part(Map.of("alg", "RS256", "kid", "test", "typ", type)) + "." + part(claims);
			Signature signature = Signature.getInstance("SHA256withRSA");
			signature.initSign(this.keys.getPrivate());
			signature.update(signed.getBytes(StandardCharsets.US_ASCII));
			return signed + "." + BASE64.encodeToString(signature.sign());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static String part(Map<String, Object> content) {
		return BASE64.encodeToString(ChatApi.JSON.writeValueAsBytes(content));
	}

	private static String challenge(String verifier) {
		try {
			return BASE64.encodeToString(
					MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Map<String, String> parameters(@Nullable String encoded) {
		Map<String, String> parameters = new HashMap<>();
		for (String pair : (encoded != null) ? encoded.split("&") : new String[0]) {
			String[] both = pair.split("=", 2);
			parameters.put(URLDecoder.decode(both[0], StandardCharsets.UTF_8),
					URLDecoder.decode((both.length > 1) ? both[1] : "", StandardCharsets.UTF_8));
		}
		return parameters;
	}

	/** Pages of all origins may read it, as with issuers that serve public clients. */
	private static void answer(HttpExchange exchange, int status, Map<String, Object> content) throws IOException {
		byte[] body = ChatApi.JSON.writeValueAsBytes(content);
		exchange.getResponseHeaders().set("Access-Control-Allow-Origin", "*");
		exchange.getResponseHeaders().set("Content-Type", "application/json");
		exchange.sendResponseHeaders(status, body.length);
		exchange.getResponseBody().write(body);
		exchange.close();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
