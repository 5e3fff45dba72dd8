package io.parley.server.issuer;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * The content of a verified token of an external issuer.
 *
 * @param wishedName the user name that the token suggests, unchecked
 * @param signIn the id of the sign-in: the same for all tokens of one {@code sid}, else
 * for tokens with the same {@code jti}, else for this token only. Never the id of a
 * sign-in of this server
 * @param issuedAt the claim {@code iat}
 * @param expiresAt when the token is not accepted any more: {@code exp} and the tolerance
 * for differing clocks
 */
public record ExternalToken(String issuer, String subject, @Nullable String wishedName, String signIn, Instant issuedAt,
		Instant expiresAt) {

	/** The longest life of a token, from {@code iat} to {@code exp}. */
	public static final Duration MAX_LIFE = Duration.ofHours(24);

	/** No character of the ids of this server's sign-ins. */
	private static final String MARK = "~";

	/** Returns whether this is the id of a sign-in with an external issuer. */
	public static boolean isExternal(String signIn) {
		return signIn.startsWith(MARK);
	}

	/**
	 * Returns an id of 32 characters for something that these strings identify together.
	 */
	public static String id(String... parts) {
		return MARK + Digest.of(parts).substring(0, 31);
	}

}
