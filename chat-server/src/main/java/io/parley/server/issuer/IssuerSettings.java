package io.parley.server.issuer;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetSequenceKey;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.parley.server.issuer.IssuerProperties.Issuer;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.store.account.ExternalIdentities;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.Resource;

/**
 * The settings of one issuer, and what is wrong with them. Immutable.
 *
 * @param index the place in the list of issuers
 */
record IssuerSettings(int index, Issuer values) {

	private static final int MIN_SECRET_BYTES = 32;

	private static final Set<String> ASYMMETRIC = Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256",
			"ES384", "ES512");

	private static final Set<String> SYMMETRIC = Set.of("HS256", "HS384", "HS512");

	/**
	 * Returns a decoder of the tokens of this issuer.
	 * @throws ImpossibleSettingsException if there can be none
	 */
	IssuerDecoder decoder(HttpClient client, Clock clock) {
		String issuer = required("issuer", this.values.issuer());
		if (issuer.length() > ExternalIdentities.MAX_LENGTH) {
			throw wrong("issuer is longer than " + ExternalIdentities.MAX_LENGTH + " characters");
		}
		String audience = this.values.audience();
		if (audience == null || audience.isBlank()) {
			throw wrong("audience is missing: set it to the name of this chat in the claim 'aud' of the tokens, "
					+ "or tokens for other applications would be accepted");
		}
		requireAddress("authorization-endpoint", this.values.authorizationEndpoint());
		requireAddress("token-endpoint", this.values.tokenEndpoint());
		return new IssuerDecoder(issuer, audience, this.values.userClaim(), keys(issuer, client, clock), algorithms(),
				clock);
	}

	private JWKSource<SecurityContext> keys(String issuer, HttpClient client, Clock clock) {
		URI uri = this.values.jwksUri();
		Resource file = this.values.publicKey();
		String secret = this.values.secret();
		if (Stream.of(uri, file, secret).filter((kind) -> kind != null).count() != 1) {
			throw wrong("set exactly one of jwks-uri, public-key and secret");
		}
		if (secret == null && (this.values.previousSecret() != null || this.values.previousSecretUntil() != null)) {
			throw wrong("previous-secret needs a secret");
		}
		if (uri != null) {
			requireAddress("jwks-uri", uri);
			return new RemoteKeys(issuer, uri, client, clock);
		}
		if (file != null) {
			return new FixedKeys(publicKey(file), null, Instant.MIN, clock);
		}
		return secrets(required("secret", secret), clock);
	}

	private JWKSource<SecurityContext> secrets(String secret, Clock clock) {
		String previous = this.values.previousSecret();
		Instant until = this.values.previousSecretUntil();
		if ((previous == null) != (until == null)) {
			throw wrong("set previous-secret and previous-secret-until together, "
					+ "such as 2030-01-31T12:00:00Z, or none of them");
		}
		return new FixedKeys(symmetric("secret", secret),
				(previous != null) ? symmetric("previous-secret", previous) : null,
				(until != null) ? until : Instant.MIN, clock);
	}

	private JWK symmetric(String key, String secret) {
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		int needed = algorithms().stream()
			.mapToInt((algorithm) -> Integer.parseInt(algorithm.getName().substring(2)) / 8)
			.max()
			.orElse(MIN_SECRET_BYTES);
		if (bytes.length < needed) {
			throw wrong(key + " has " + bytes.length + " bytes and needs at least " + needed
					+ ": generate one with 'openssl rand -base64 48'");
		}
		return new OctetSequenceKey.Builder(bytes).build();
	}

	private JWK publicKey(Resource file) {
		try {
			JWK key = PublicKeyPem.read(file.getContentAsString(StandardCharsets.US_ASCII));
			for (JWSAlgorithm algorithm : algorithms()) {
				if (!PublicKeyPem.fits(key, algorithm)) {
					throw wrong("algorithms contains " + algorithm + ", which does not fit the key in " + file);
				}
			}
			return key;
		}
		catch (IOException ex) {
			throw wrong("public-key cannot be read (" + ex + ")");
		}
		catch (IllegalArgumentException ex) {
			throw wrong("public-key must be the location of an RSA key of at least 2048 bits, or of an EC key, "
					+ "as PEM with 'BEGIN PUBLIC KEY' (" + file + ": " + ex.getMessage() + ")");
		}
	}

	private Set<JWSAlgorithm> algorithms() {
		boolean symmetric = this.values.secret() != null;
		List<String> names = this.values.algorithms();
		if (names.isEmpty()) {
			return Set.of(symmetric ? JWSAlgorithm.HS256 : JWSAlgorithm.RS256);
		}
		Set<String> allowed = symmetric ? SYMMETRIC : ASYMMETRIC;
		for (String name : names) {
			if (!allowed.contains(name)) {
				throw wrong("algorithms contains '" + name + "'; allowed with " + (symmetric ? "a secret" : "keys")
						+ " are " + String.join(", ", allowed.stream().sorted().toList()));
			}
		}
		return names.stream().map(JWSAlgorithm::parse).collect(Collectors.toUnmodifiableSet());
	}

	private void requireAddress(String key, @Nullable URI uri) {
		if (uri != null && (uri.getHost() == null || !Set.of("http", "https").contains(uri.getScheme()))) {
			throw wrong(key + " must be an address such as https://login.example.org/keys");
		}
	}

	private String required(String key, @Nullable String value) {
		if (value == null || value.isBlank()) {
			throw wrong(key + " is missing");
		}
		return value;
	}

	private ImpossibleSettingsException wrong(String fault) {
		String issuer = this.values.issuer();
		return new ImpossibleSettingsException("chat.security.issuers[" + this.index + "]"
				+ ((issuer != null) ? " (" + issuer + ")" : "") + ": " + fault + ".");
	}

}
