package io.parley.server.issuer;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.parley.store.account.ExternalIdentities;
import org.jspecify.annotations.Nullable;

import org.springframework.core.convert.converter.Converter;
import org.springframework.security.oauth2.core.DelegatingOAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2Error;
import org.springframework.security.oauth2.core.OAuth2TokenValidator;
import org.springframework.security.oauth2.core.OAuth2TokenValidatorResult;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtAudienceValidator;
import org.springframework.security.oauth2.jwt.JwtClaimNames;
import org.springframework.security.oauth2.jwt.JwtIssuerValidator;
import org.springframework.security.oauth2.jwt.JwtTimestampValidator;
import org.springframework.security.oauth2.jwt.MappedJwtClaimSetConverter;

/** The rules for the claims of an external token. */
final class TokenRules {

	/** The clocks of issuer and server may differ by this much. */
	static final Duration SKEW = Duration.ofSeconds(30);

	private static final OAuth2Error FAULT = new OAuth2Error("invalid_token");

	private TokenRules() {
	}

	static OAuth2TokenValidator<Jwt> of(String issuer, String audience, Clock clock) {
		JwtTimestampValidator timestamps = new JwtTimestampValidator(SKEW);
		timestamps.setClock(clock);
		timestamps.setAllowEmptyExpiryClaim(false);
		return new DelegatingOAuth2TokenValidator<>(List.of(new JwtIssuerValidator(issuer),
				new JwtAudienceValidator(audience), timestamps, rule((jwt) -> hasLimitedLife(jwt, clock.instant())),
				rule((jwt) -> isIdentity(jwt.getSubject()))));
	}

	/**
	 * Spring invents the claim {@code iat} of a token without one. Here it stays missing.
	 */
	static Converter<Map<String, Object>, Map<String, Object>> claims() {
		MappedJwtClaimSetConverter claims = MappedJwtClaimSetConverter.withDefaults(Map.of());
		return (original) -> {
			Map<String, Object> converted = claims.convert(original);
			if (original.get(JwtClaimNames.IAT) == null) {
				converted.remove(JwtClaimNames.IAT);
			}
			return converted;
		};
	}

	private interface Rule {

		boolean holds(Jwt token);

	}

	private static OAuth2TokenValidator<Jwt> rule(Rule rule) {
		return (token) -> rule.holds(token) ? OAuth2TokenValidatorResult.success()
				: OAuth2TokenValidatorResult.failure(FAULT);
	}

	/**
	 * A token from the future could live longer than it says.
	 */
	private static boolean hasLimitedLife(Jwt token, Instant now) {
		Instant from = token.getIssuedAt();
		Instant to = token.getExpiresAt();
		return from != null && to != null && !from.isAfter(now.plus(SKEW))
				&& !to.isAfter(from.plus(ExternalToken.MAX_LIFE));
	}

	/**
	 * Two different subjects must stay different in the database.
	 */
	private static boolean isIdentity(@Nullable String subject) {
		return subject != null && !subject.isBlank() && subject.length() <= ExternalIdentities.MAX_LENGTH && subject
			.codePoints()
			.noneMatch((point) -> Character.isISOControl(point) || Character.getType(point) == Character.SURROGATE);
	}

}
