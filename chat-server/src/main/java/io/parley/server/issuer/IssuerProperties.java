package io.parley.server.issuer;

import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.core.io.Resource;

/**
 * Whose tokens are accepted besides those of this server.
 *
 * @param issuers see {@link Issuer}; checked by {@link IssuerRegistry}, which says in a
 * sentence what is wrong
 */
@ConfigurationProperties("chat.security")
public record IssuerProperties(@DefaultValue List<Issuer> issuers) {

	/**
	 * An issuer of tokens. Exactly one of {@code jwksUri}, {@code publicKey} and
	 * {@code secret} says with which keys it signs.
	 *
	 * @param issuer its claim {@code iss}, exactly
	 * @param name what the button of the sign-in page says
	 * @param jwksUri address of its JSON Web Key Set
	 * @param publicKey an RSA or EC key, as PEM
	 * @param secret a secret shared with the issuer, at least 32 bytes in UTF-8
	 * @param previousSecret another secret that is accepted until
	 * {@code previousSecretUntil}
	 * @param audience its tokens must name this in the claim {@code aud}
	 * @param algorithms the signature algorithms that are accepted; none: RS256, ES256 or
	 * HS256, as the key is
	 * @param userClaim the claim with the wished user name
	 * @param clientId the id of the sign-in page at the issuer; none: the page offers no
	 * sign-in with this issuer
	 * @param scope what the sign-in page asks for
	 * @param authorizationEndpoint none: the page asks the issuer
	 * @param tokenEndpoint none: the page asks the issuer
	 */
	public record Issuer(@Nullable String issuer, @Nullable String name, @Nullable URI jwksUri,
			@Nullable Resource publicKey, @Nullable String secret, @Nullable String previousSecret,
			@Nullable Instant previousSecretUntil, @Nullable String audience, @DefaultValue List<String> algorithms,
			@DefaultValue("preferred_username") String userClaim, @Nullable String clientId,
			@DefaultValue("openid profile") String scope, @Nullable URI authorizationEndpoint,
			@Nullable URI tokenEndpoint) {

		/** Contains no secret. */
		@Override
		public String toString() {
			return "Issuer[" + this.issuer + "]";
		}

	}

	/** Returns the issuers that the sign-in page offers. */
	public List<Issuer> offered() {
		return this.issuers.stream()
			.filter((issuer) -> issuer.clientId() != null && !issuer.clientId().isBlank())
			.toList();
	}

	/**
	 * Returns the origins of the issuers that the sign-in page connects to, such as
	 * {@code https://login.example.org}.
	 */
	public List<String> pageOrigins() {
		return offered().stream()
			.flatMap((issuer) -> Stream.of(uri(issuer.issuer()), issuer.tokenEndpoint()))
			.filter((uri) -> uri != null && uri.getScheme() != null && uri.getHost() != null)
			.map((uri) -> uri.getScheme() + "://" + uri.getHost() + ((uri.getPort() < 0) ? "" : ":" + uri.getPort()))
			.distinct()
			.toList();
	}

	private static @Nullable URI uri(@Nullable String issuer) {
		try {
			return (issuer != null) ? URI.create(issuer) : null;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

}
