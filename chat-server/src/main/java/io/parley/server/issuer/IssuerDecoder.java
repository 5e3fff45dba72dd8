package io.parley.server.issuer;

import java.time.Clock;
import java.time.Instant;
import java.util.Set;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.BadJWSException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;

import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.security.oauth2.jwt.NimbusJwtDecoder;

/** Verifies the tokens of one issuer. Safe for use by many threads. */
final class IssuerDecoder {

	private final String issuer;

	private final String userClaim;

	private final JWKSource<SecurityContext> keys;

	private final NimbusJwtDecoder decoder;

	IssuerDecoder(String issuer, String audience, String userClaim, JWKSource<SecurityContext> keys,
			Set<JWSAlgorithm> algorithms, Clock clock) {
		this.issuer = issuer;
		this.userClaim = userClaim;
		this.keys = keys;
		DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
		processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, keys));
		// Not a token for logout, for example, which the same keys sign.
		processor.setJWSTypeVerifier(
				new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
		// The rules check the claims.
		processor.setJWTClaimsSetVerifier((claims, context) -> {
		});
		this.decoder = new NimbusJwtDecoder(processor);
		this.decoder.setClaimSetConverter(TokenRules.claims());
		this.decoder.setJwtValidator(TokenRules.of(issuer, audience, clock));
	}

	String issuer() {
		return this.issuer;
	}

	JWKSource<SecurityContext> keys() {
		return this.keys;
	}

	/**
	 * Returns what a token says.
	 * @throws ChatException {@code unauthorized} or {@code issuer-unavailable}
	 */
	ExternalToken verify(String token) {
		Jwt jwt = decode(token);
		Instant issuedAt = jwt.getIssuedAt();
		Instant expiresAt = jwt.getExpiresAt();
		String subject = jwt.getSubject();
		if (issuedAt == null || expiresAt == null || subject == null) {
			throw invalid();
		}
		return new ExternalToken(this.issuer, subject, wishedName(jwt, subject), signIn(jwt, subject, token), issuedAt,
				expiresAt.plus(TokenRules.SKEW));
	}

	private Jwt decode(String token) {
		try {
			return this.decoder.decode(token);
		}
		catch (BadJwtException ex) {
			if (ex.getCause() instanceof BadJWSException && this.keys instanceof RemoteKeys remote) {
				// The issuer may have replaced the key without changing its id.
				remote.startFetch();
			}
			throw invalid();
		}
		catch (JwtException ex) {
			if (ex.getCause() instanceof KeysUnavailableException unavailable) {
				throw ErrorCode.ISSUER_UNAVAILABLE
					.because("The server can't check the token now, because it does not know all keys of the issuer; "
							+ "try again later.", unavailable.retryAfter());
			}
			throw invalid();
		}
	}

	private String wishedName(Jwt jwt, String subject) {
		return (jwt.getClaims().get(this.userClaim) instanceof String name) ? name : subject;
	}

	/** Issuers may number the sign-ins of each subject. */
	private String signIn(Jwt jwt, String subject, String token) {
		for (String claim : new String[] { "sid", "jti" }) {
			if (jwt.getClaims().get(claim) instanceof String id && !id.isEmpty()) {
				return ExternalToken.id(this.issuer, subject, claim, id);
			}
		}
		return ExternalToken.id(this.issuer, subject, "token", token);
	}

	private static ChatException invalid() {
		return ErrorCode.UNAUTHORIZED.because("The token is not valid or has expired; get a new one from its issuer.");
	}

}
