package io.parley.server.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.factories.DefaultJWSSignerFactory;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import org.jspecify.annotations.Nullable;

/** An issuer of tokens with a key server that a test can break. */
public final class TestIssuer implements AutoCloseable {

	public static final String AUDIENCE = "the-chat";

	private final HttpServer server;

	private final AtomicInteger fetches = new AtomicInteger();

	private final CountDownLatch closed = new CountDownLatch(1);

	private volatile RSAKey key;

	private volatile Answer answer = Answer.KEYS;

	/** The answer of the key server. */
	public enum Answer {

		/** The public keys. */
		KEYS,

		/** Nothing, until the test is over. */
		NOTHING,

		/** One byte each 100 ms. */
		DRIP,

		/** Something that is no key set. */
		NONSENSE,

		/** A key set without keys. */
		NO_KEYS,

		/** More than any key set needs. */
		TOO_MUCH,

		/** Status 500. */
		FAILURE,

		/** The address of another key server, which has the keys. */
		REDIRECT

	}

	private TestIssuer(HttpServer server, RSAKey key) {
		this.server = server;
		this.key = key;
	}

	/** Starts an issuer with a new key. */
	public static TestIssuer start() {
		return start(newKey(UUID.randomUUID().toString()));
	}

	/** Starts an issuer with this key. */
	public static TestIssuer start(RSAKey key) {
		try {
			HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
			TestIssuer issuer = new TestIssuer(server, key);
			server.createContext("/keys", issuer::serve);
			server.createContext("/moved", (exchange) -> respond(exchange, 200, issuer.published()));
			server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
			server.start();
			return issuer;
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	public static RSAKey newKey(String id) {
		try {
			return new RSAKeyGenerator(2_048).keyID(id).generate();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void serve(HttpExchange exchange) throws IOException {
		this.fetches.incrementAndGet();
		try {
			switch (this.answer) {
				case KEYS -> respond(exchange, 200, published());
				case NOTHING -> this.closed.await();
				case DRIP -> drip(exchange);
				case NONSENSE -> respond(exchange, 200, "<html>");
				case NO_KEYS -> respond(exchange, 200, "{\"keys\":[]}");
				case TOO_MUCH -> respond(exchange, 200,
						published().replaceFirst("\\{", "{\"padding\":\"" + "x".repeat(100_000) + "\","));
				case FAILURE -> respond(exchange, 500, published());
				case REDIRECT -> {
					exchange.getResponseHeaders().add("Location", name() + "/moved");
					respond(exchange, 302, "");
				}
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			exchange.close();
		}
	}

	private void drip(HttpExchange exchange) throws IOException, InterruptedException {
		exchange.sendResponseHeaders(200, 0);
		for (byte next : published().getBytes(StandardCharsets.UTF_8)) {
			exchange.getResponseBody().write(next);
			exchange.getResponseBody().flush();
			if (this.closed.await(100, java.util.concurrent.TimeUnit.MILLISECONDS)) {
				return;
			}
		}
	}

	private static void respond(HttpExchange exchange, int status, String body) throws IOException {
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		exchange.sendResponseHeaders(status, (bytes.length > 0) ? bytes.length : -1);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	private String published() {
		return new JWKSet(List.<JWK>of(this.key)).toPublicJWKSet().toString();
	}

	/** Returns its claim {@code iss}. */
	public String name() {
		return "http://127.0.0.1:" + this.server.getAddress().getPort();
	}

	public URI keys() {
		return URI.create(name() + "/keys");
	}

	/** Returns how often the key server was asked. */
	public int fetches() {
		return this.fetches.get();
	}

	public void answer(Answer answer) {
		this.answer = answer;
	}

	/** Signs with another key from now on, and publishes only that one. */
	public void rotate() {
		this.key = newKey(UUID.randomUUID().toString());
	}

	/** Signs with another key from now on, which has the same id. */
	public void replaceKey() {
		this.key = newKey(this.key.getKeyID());
	}

	public RSAKey key() {
		return this.key;
	}

	/** Returns the settings of a server that accepts its tokens. */
	public String[] settings(int index) {
		String prefix = "chat.security.issuers[" + index + "].";
		return new String[] { prefix + "issuer=" + name(), prefix + "jwks-uri=" + keys(),
				prefix + "audience=" + AUDIENCE };
	}

	/** Returns a token of a user, valid for five minutes. */
	public String token(String subject) {
		return token(subject, (claims) -> {
		});
	}

	/** Returns a token with changed claims. */
	public String token(String subject, Consumer<JWTClaimsSet.Builder> change) {
		return sign(this.key, JWSAlgorithm.RS256, claims(name(), subject, change));
	}

	/** Returns valid claims with some changes. */
	public static JWTClaimsSet claims(String issuer, String subject, Consumer<JWTClaimsSet.Builder> change) {
		Instant now = Instant.now();
		JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder().issuer(issuer)
			.subject(subject)
			.audience(AUDIENCE)
			.issueTime(Date.from(now.minusSeconds(2)))
			.expirationTime(Date.from(now.plusSeconds(300)));
		change.accept(claims);
		return claims.build();
	}

	/** Signs with the id and the type of a key. */
	public static String sign(JWK key, JWSAlgorithm algorithm, JWTClaimsSet claims) {
		return sign(key, algorithm, key.getKeyID(), "JWT", claims);
	}

	public static String sign(JWK key, JWSAlgorithm algorithm, @Nullable String kid, @Nullable String type,
			JWTClaimsSet claims) {
		try {
			SignedJWT token = new SignedJWT(new JWSHeader.Builder(algorithm).keyID(kid)
				.type((type != null) ? new JOSEObjectType(type) : null)
				.build(), claims);
			JWSSigner signer = new DefaultJWSSignerFactory().createJWSSigner(key, algorithm);
			token.sign(signer);
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Signs claims that are not valid JSON, or not valid text. */
	public static String sign(RSAKey key, String claims) {
		try {
			JWSObject token = new JWSObject(new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
					new Payload(claims));
			token.sign(new RSASSASigner(key));
			return token.serialize();
		}
		catch (JOSEException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/** Returns a shared secret as a key. */
	public static OctetSequenceKey secret(String secret) {
		return new OctetSequenceKey.Builder(secret.getBytes(StandardCharsets.UTF_8)).build();
	}

	/** Stops the key server. */
	@Override
	public void close() {
		this.closed.countDown();
		this.server.stop(0);
	}

}
