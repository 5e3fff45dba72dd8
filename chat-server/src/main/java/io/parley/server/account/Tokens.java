package io.parley.server.account;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.parley.server.error.ChatException;
import io.parley.server.error.ErrorCode;
import io.parley.server.issuer.ExternalToken;
import io.parley.server.issuer.IssuerRegistry;
import io.parley.server.settings.ImpossibleSettingsException;
import io.parley.store.account.Account;
import io.parley.store.account.AccountState;
import org.jspecify.annotations.Nullable;

import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwsHeader;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtClaimsSet;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.jwt.JwtEncoder;
import org.springframework.security.oauth2.jwt.JwtEncoderParameters;
import org.springframework.security.oauth2.jwt.JwtException;
import org.springframework.stereotype.Component;

/**
 * Issues tokens, and verifies those of this server and of external issuers. Nothing else
 * decides whose a token is. The header {@code typ} distinguishes access tokens (RFC
 * 9068), refresh tokens and device tokens. Safe for use by many threads.
 */
@Component
public class Tokens {

	/** The claim with the id of the sign-in. */
	static final String SIGN_IN = "sid";

	/** The claim of a refresh token with its place in the succession of tokens. */
	static final String GENERATION = "gen";

	static final String ACCESS = "at+jwt";

	static final String REFRESH = "refresh+jwt";

	static final String DEVICE = "device+jwt";

	/** The only OAuth client: whoever signs in with a password. */
	static final String CLIENT_ID = "parley";

	/** A device that has not signed in for this long counts as unknown again. */
	private static final Duration DEVICE_TTL = Duration.ofDays(180);

	private final JwtEncoder encoder;

	private final SigningKeys keys;

	private final JwtDecoder accessTokens;

	private final JwtDecoder refreshTokens;

	private final JwtDecoder deviceTokens;

	private final JwtProperties properties;

	private final SignInService signIns;

	private final AccountStateCache states;

	private final IssuerRegistry issuers;

	private final ExternalAccounts externalAccounts;

	private final ExternalSignIns externalSignIns;

	private final Clock clock;

	Tokens(JwtEncoder encoder, SigningKeys keys, TokenDecoders decoders, JwtProperties properties,
			SignInService signIns, AccountStateCache states, IssuerRegistry issuers, ExternalAccounts externalAccounts,
			ExternalSignIns externalSignIns, Clock clock) {
		if (issuers.contains(properties.issuer())) {
			throw new ImpossibleSettingsException("chat.security.issuers lists '" + properties.issuer()
					+ "', which is the issuer of this server (chat.security.jwt.issuer): change one of the two.");
		}
		this.encoder = encoder;
		this.keys = keys;
		this.accessTokens = decoders.ofAccessTokens();
		this.refreshTokens = decoders.of(REFRESH);
		this.deviceTokens = decoders.of(DEVICE);
		this.properties = properties;
		this.signIns = signIns;
		this.states = states;
		this.issuers = issuers;
		this.externalAccounts = externalAccounts;
		this.externalSignIns = externalSignIns;
		this.clock = clock;
	}

	/**
	 * The response to a sign-in or refresh.
	 *
	 * @param expiresIn lifetime of the access token in seconds
	 * @param signIn the id of the sign-in, the same after each refresh
	 * @param device to be sent with the next sign-in from the same device, so that failed
	 * attempts from elsewhere do not block it; it grants no access by itself
	 */
	@JsonInclude(JsonInclude.Include.NON_NULL)
	record Grant(String accessToken, String refreshToken, long expiresIn, String signIn, @Nullable String device) {

		Grant withDevice(String device) {
			return new Grant(this.accessToken, this.refreshToken, this.expiresIn, this.signIn, device);
		}

	}

	/**
	 * The user of an access token, of this server or of an external issuer.
	 *
	 * @param signIn the id of the sign-in
	 * @param expiresAt when the token is not accepted any more
	 */
	public record Identity(String user, String signIn, Instant issuedAt, Instant expiresAt) {

		/** Returns whether the token is one of an external issuer. */
		boolean isExternal() {
			return ExternalToken.isExternal(this.signIn);
		}

	}

	/** The content of a refresh token. */
	record Refresh(String user, String signIn, long generation) {
	}

	/** Issues tokens. None of them outlives the sign-in. */
	Grant grant(SignInState signIn) {
		Instant now = this.clock.instant();
		Instant accessEnd = now.plus(this.properties.accessTtl());
		if (accessEnd.isAfter(signIn.expiresAt())) {
			accessEnd = signIn.expiresAt();
		}
		JwtClaimsSet.Builder access = claims(signIn.username(), now, accessEnd)
			.audience(List.of(this.properties.issuer()))
			.claim("client_id", CLIENT_ID)
			.claim(SIGN_IN, signIn.id());
		JwtClaimsSet.Builder refresh = claims(signIn.username(), now, signIn.expiresAt()).claim(SIGN_IN, signIn.id())
			.claim(GENERATION, signIn.generation());
		return new Grant(sign(ACCESS, access), sign(REFRESH, refresh), now.until(accessEnd).toSeconds(), signIn.id(),
				null);
	}

	/** Issues the token by which a device is recognised at its next sign-in. */
	String issueDevice(Account account) {
		Instant now = this.clock.instant();
		return sign(DEVICE, claims(account.getUsername(), now, now.plus(DEVICE_TTL)));
	}

	private JwtClaimsSet.Builder claims(String user, Instant now, Instant expiresAt) {
		return JwtClaimsSet.builder()
			.id(UUID.randomUUID().toString())
			.issuer(this.properties.issuer())
			.subject(user)
			.issuedAt(now)
			.expiresAt(expiresAt);
	}

	private String sign(String type, JwtClaimsSet.Builder claims) {
		JwsHeader header = JwsHeader.with(SignatureAlgorithm.RS256).type(type).keyId(this.keys.current()).build();
		return this.encoder.encode(JwtEncoderParameters.from(header, claims.build())).getTokenValue();
	}

	/** Returns the id of a device that has signed in to this account before, or null. */
	@Nullable String identifyDevice(@Nullable String device, String user) {
		try {
			Jwt jwt = (device != null) ? this.deviceTokens.decode(device) : null;
			return (jwt != null && user.equals(jwt.getSubject())) ? jwt.getId() : null;
		}
		catch (JwtException ex) {
			return null;
		}
	}

	/**
	 * Returns the user of an access token. The unverified claim {@code iss} chooses who
	 * verifies the token, and nothing else. The account of a user of an external issuer
	 * is created at first sight.
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if it is forged,
	 * expired or not an access token, or if its account does not exist;
	 * {@code signed-out} if the sign-in has ended or the account is disabled;
	 * {@code store-unavailable} or {@code issuer-unavailable} if that cannot be checked
	 */
	public Identity identify(String accessToken) {
		String issuer = this.issuers.isEmpty() ? null : ClaimedIssuer.of(accessToken);
		if (issuer == null || issuer.equals(this.properties.issuer())) {
			return identify(decode(this.accessTokens, accessToken));
		}
		return identify(this.issuers.verify(issuer, accessToken));
	}

	private Identity identify(Jwt accessToken) {
		String user = claim(accessToken, JwtClaimNames.SUB);
		Instant issuedAt = accessToken.getIssuedAt();
		Instant expiresAt = accessToken.getExpiresAt();
		Identity identity = new Identity(user, signInOf(accessToken), (issuedAt != null) ? issuedAt : Instant.MIN,
				(expiresAt != null) ? expiresAt : Instant.MIN);
		requireEnabled(user);
		this.signIns.requireLive(identity.signIn(), user);
		return identity;
	}

	private Identity identify(ExternalToken token) {
		Identity identity = new Identity(this.externalAccounts.of(token), token.signIn(), token.issuedAt(),
				token.expiresAt());
		requireEnabled(identity.user());
		this.externalSignIns.requireLive(identity);
		return identity;
	}

	private void requireEnabled(String user) {
		if (this.states.of(user) == AccountState.DISABLED) {
			throw AccountStateCache.disabled();
		}
	}

	private static String signInOf(Jwt token) {
		return claim(token, SIGN_IN);
	}

	private static String claim(Jwt token, String name) {
		String value = token.getClaimAsString(name);
		if (value == null) {
			throw invalid();
		}
		return value;
	}

	/**
	 * Returns what a refresh token says. Does not check the sign-in.
	 * @throws io.parley.server.error.ChatException {@code unauthorized} if it is forged,
	 * expired or not a refresh token
	 */
	Refresh identifyRefresh(String refreshToken) {
		Jwt jwt = decode(this.refreshTokens, refreshToken);
		if (jwt.getClaim(GENERATION) instanceof Long generation) {
			return new Refresh(claim(jwt, JwtClaimNames.SUB), signInOf(jwt), generation);
		}
		throw invalid();
	}

	/**
	 * Returns whether the sign-in of a session is known to have ended. Ask after the
	 * session has the sign-in: whoever ends it later finds the session.
	 */
	public boolean hasEnded(Identity identity) {
		return identity.isExternal() ? this.externalSignIns.hasEnded(identity)
				: this.signIns.hasEnded(identity.signIn());
	}

	private static Jwt decode(JwtDecoder decoder, String token) {
		try {
			return decoder.decode(token);
		}
		catch (JwtException ex) {
			throw invalid();
		}
	}

	private static ChatException invalid() {
		return ErrorCode.UNAUTHORIZED.because("The token is not valid or has expired; sign in or refresh it.");
	}

}
