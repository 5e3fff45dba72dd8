package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.server.error.ErrorCode;
import io.parley.server.error.ChatException;
import io.parley.store.account.Account;
import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.JwtException;

/** Issues and verifies tokens. Safe for use by many threads. */
public class Tokens {

	static final String USE = "use";

	private static final String ACCESS = "access";

	private static final String REFRESH = "refresh";

	private static final String DEVICE = "device";

	/** A device that has not signed in for this long counts as unknown again. */
	private static final Duration DEVICE_TTL = Duration.ofDays(180);

	private final JwtEncoder encoder;

	private final JwtDecoder decoder;

	private final JwtProperties properties;

	private final AccountService accounts;

	private final Clock clock = Clock.systemUTC();

	Tokens(JwtEncoder encoder, JwtDecoder decoder, JwtProperties properties, AccountService accounts) {
		this.encoder = encoder;
		this.decoder = decoder;
		this.properties = properties;
		this.accounts = accounts;
	}

	/**
	 * The response to a sign-in or refresh.
	 *
	 * @param expiresIn lifetime of the access token in seconds
	 * @param device to be sent with the next sign-in from the same device, so that failed
	 * attempts from elsewhere do not block it; it grants no access by itself
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Grant(String accessToken, String refreshToken, long expiresIn, @Nullable String device) {

		Grant withDevice(String device) {
			return new Grant(this.accessToken, this.refreshToken, this.expiresIn, device);
		}

	}

	/** The user of a token, and when the token expires. */
	public record Identity(String user, Instant expiresAt) {
	}

	/**
	 * Issues tokens.
	 * @param account as loaded from the database: only existing accounts get tokens
	 */
	Grant grant(Account account) {
		return grant(account.getUsername());
	}

	/**
	 * Issues tokens to the user of a refresh token. Works while the database is
	 * unavailable, so that connected users stay connected.
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if the account
	 * does not exist
	 */
	Grant renew(Identity refresh) {
		if (!this.accounts.existsOrLastKnown(refresh.user())) {
			throw accountMissing();
		}
		return grant(refresh.user());
	}

	private Grant grant(String user) {
		return new Grant(issue(user, ACCESS, this.properties.accessTtl()),
				issue(user, REFRESH, this.properties.refreshTtl()), this.properties.accessTtl().toSeconds(), null);
	}

	/** Issues the token by which a device is recognised at its next sign-in. */
	String issueDevice(Account account) {
		return issue(account.getUsername(), DEVICE, DEVICE_TTL);
	}

	/** Returns the id of a device that has signed in to this account before, or null. */
	@Nullable String identifyDevice(@Nullable String device, String user) {
		try {
			Jwt jwt = (device != null) ? this.decoder.decode(device) : null;
			return (jwt != null && user.equals(jwt.getSubject()) && DEVICE.equals(jwt.getClaimAsString(USE)))
					? jwt.getId() : null;
		}
		catch (JwtException ex) {
			return null;
		}
	}

	/**
	 * Returns the user of an access token.
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if it is forged,
	 * expired or not an access token, or if its account does not exist;
	 * {@code store-unavailable} if that cannot be checked
	 */
	public Identity identify(String accessToken) {
		Identity identity = check(accessToken, ACCESS);
		if (!this.accounts.existsCached(identity.user())) {
			throw accountMissing();
		}
		return identity;
	}

	private static ChatException accountMissing() {
		return ErrorCode.UNAUTHORIZED.because("The account of this token does not exist; sign in again.");
	}

	Identity identifyRefresh(String refreshToken) {
		return check(refreshToken, REFRESH);
	}

	private String issue(String user, String use, Duration ttl) {
		Instant now = this.clock.instant();
		JwtClaimsSet claims = JwtClaimsSet.builder()
			.id(UUID.randomUUID().toString())
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
				throw ErrorCode.UNAUTHORIZED.because("This is not a valid " + use + " token.");
			}
			return new Identity(user, expiresAt);
		}
		catch (JwtException ex) {
			throw ErrorCode.UNAUTHORIZED.because("The token is not valid or has expired; sign in or refresh it.");
		}
	}

}
