package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

import io.parley.server.refusal.Refusal;

import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.JwtException;

/** Issues and checks tokens. */
public class Tokens {

	static final String USE = "use";

	private static final String ACCESS = "access";

	private static final String REFRESH = "refresh";

	private final JwtEncoder encoder;

	private final JwtDecoder decoder;

	private final JwtProperties properties;

	private final Clock clock = Clock.systemUTC();

	Tokens(JwtEncoder encoder, JwtDecoder decoder, JwtProperties properties) {
		this.encoder = encoder;
		this.decoder = decoder;
		this.properties = properties;
	}

	/**
	 * What a client gets when it has signed in.
	 *
	 * @param expiresIn seconds that the access token lives
	 */
	record Grant(String accessToken, String refreshToken, long expiresIn) {
	}

	/** Who a token speaks for, and until when. */
	public record Identity(String user, Instant expiresAt) {
	}

	Grant grant(String user) {
		return new Grant(issue(user, ACCESS, this.properties.accessTtl()),
				issue(user, REFRESH, this.properties.refreshTtl()), this.properties.accessTtl().toSeconds());
	}

	/**
	 * Who an access token speaks for.
	 * @throws io.parley.server.refusal.RefusedException when it is forged, expired or no
	 * access token
	 */
	public Identity identify(String accessToken) {
		return check(accessToken, ACCESS);
	}

	Identity identifyRefresh(String refreshToken) {
		return check(refreshToken, REFRESH);
	}

	private String issue(String user, String use, Duration ttl) {
		Instant now = this.clock.instant();
		JwtClaimsSet claims = JwtClaimsSet.builder()
			.issuer(this.properties.issuer())
			.subject(user)
			.issuedAt(now)
			.expiresAt(now.plus(ttl))
			.claim(USE, use)
			.build();
		return this.encoder.encode(JwtEncoderParameters.from(claims)).getTokenValue();
	}

	private Identity check(String token, String use) {
		try {
			Jwt jwt = this.decoder.decode(token);
			String user = jwt.getSubject();
			Instant expiresAt = jwt.getExpiresAt();
			if (user == null || expiresAt == null || !use.equals(jwt.getClaimAsString(USE))) {
				throw Refusal.UNAUTHORIZED.because("This is not a valid " + use + " token.");
			}
			return new Identity(user, expiresAt);
		}
		catch (JwtException ex) {
			throw Refusal.UNAUTHORIZED.because("The token is not valid or has expired; sign in or refresh it.");
		}
	}

}
